"""The codes of a refused request, in the order of docs/protocol.md. A board only sends them."""

ERRORS = (
    "not_ours bad_crc bad_json too_long no_memory no_id unknown_command bad_argument no_game "
    "game_on unknown_game bad_options bad_position wrong_seat wrong_key claimed stale illegal "
    "not_undoable doubt no_doubt heard no_mismatch not_wire secret playing not_maintained "
    "no_reader duplicate unknown_chip bad_value no_log not_confirmed flash_full failed"
).split()
