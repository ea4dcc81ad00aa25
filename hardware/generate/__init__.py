"""Makes and checks files: schematics, boards, files for the fab; drives KiCad without a screen."""
