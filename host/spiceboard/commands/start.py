"""`python -m spiceboard.commands.start PARENT MODULE ...`: run a module as a command is to run.

Ctrl-C while it still imports what it needs ends it without a traceback (before that, it was held
back); `running.run` heeds it afterwards. Ignored (in a script's background), it stays so. Ends
with PARENT, the process that began it.
"""

import signal

if __name__ == "__main__":
    if signal.getsignal(signal.SIGINT) != signal.SIG_IGN:
        signal.signal(signal.SIGINT, signal.SIG_DFL)
    signal.pthread_sigmask(signal.SIG_UNBLOCK, (signal.SIGINT,))
    import runpy  # not before: it takes a moment
    import sys

    from spiceboard.commands.process import end_with

    end_with(int(sys.argv.pop(1)))
    runpy.run_module(sys.argv.pop(1), run_name="__main__", alter_sys=True)
