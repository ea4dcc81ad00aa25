"""Two exports of one board differ in the order of their colours; sorted they are one file."""

import random
import re

import pytest

from hardware.generate import stamps, step

HEAD = "ISO-10303-21;\nHEADER;\nFILE_NAME('x.step','2031-02-03T04:05:06',('a'));\nENDSEC;\nDATA;\n"
TAIL = "ENDSEC;\nEND-ISO-10303-21;\n"
FACES = 6
SHAPES = [
    "SHELL('a; #9 ''quoted''',(#2,#3,#4,#5,#6,#7))",
    *[f"FACE('',{float(k)})" for k in range(FACES)],
    "( LENGTH_UNIT() NAMED_UNIT(*) \nSI_UNIT(.MILLI.,.METRE.) )",
    "CONTEXT('',#8)",
]
PAINT = {0: "1.,0.,0.", 1: "0.,1.,0.", 2: "1.,0.,0.", 3: "0.,0.,1.", 4: "1.,0.,0.", 5: "0.,1.,0."}


def exported(seed: int) -> str:
    """A small file as KiCad writes it: two lists of colours in another order for each seed, each
    colour written once in the file or once in each list."""
    chance = random.Random(seed)
    lines = [f"#{k} = {text};\n" for k, text in enumerate(SHAPES, 1)]
    count, shared = len(SHAPES), {}
    lists = [[0, 2, 4], [1, 3, 5]]
    chance.shuffle(lists)
    everywhere = chance.random() < 0.5
    for faces in lists:
        chance.shuffle(faces)
        if not everywhere:
            shared = {}
        at, items = count + 1, []
        count, body = at, []
        for face in faces:
            item = count + 1
            items.append(f"#{item}")
            body.append(f"#{item} = STYLED_ITEM('color',(#{item + 1}),#{face + 2});\n")
            colour = PAINT[face]
            new = colour not in shared
            shared.setdefault(colour, item + 2)
            body.append(f"#{item + 1} = FILL('',#{shared[colour]});\n")
            if new:
                body.append(f"#{item + 2} = COLOUR_RGB('',{colour});\n")
            count = item + 1 + new
        lines.append(f"#{at} = {step.LIST}('',(\n  {','.join(items)}),#9);\n")
        lines += body
    return HEAD + "".join(lines) + TAIL


def colours(text: str) -> dict[str, str]:
    """{face: its colour}, read from the file without the code under test."""
    entities = dict(re.findall(r"^(#\d+) = (.*?);$", text, re.M | re.S))
    found = {}
    for body in entities.values():
        if body.startswith("STYLED_ITEM"):
            fill, face = re.findall(r"#\d+", body)
            (colour,) = re.findall(r"#\d+", entities[fill])
            found[entities[face]] = entities[colour]
    return found


def test_any_order_gives_the_same_bytes_and_every_face_keeps_its_colour():
    files = {exported(seed) for seed in range(40)}
    assert len(files) > 20
    (result,) = {step.in_order(text) for text in files}
    assert len(colours(result)) == FACES
    assert all(colours(text) == colours(result) for text in files)
    assert result.count("COLOUR_RGB") == 3
    assert step.in_order(result) == result


def test_the_shapes_keep_their_order_strings_and_spaces():
    result = step.in_order(exported(1))
    at = [result.index(f"FACE('',{float(k)})") for k in range(FACES)]
    assert at == sorted(at) and "SHELL('a; #9 ''quoted''',(#2,#3,#4,#5,#6,#7));" in result
    assert "(LENGTH_UNIT() NAMED_UNIT(*) SI_UNIT(.MILLI.,.METRE.))" in result
    assert max(map(len, result.splitlines())) < 120


def test_another_colour_is_another_file():
    text = exported(3)
    assert step.in_order(text.replace("0.,0.,1.", "0.,0.,0.9")) != step.in_order(text)


def test_the_hour_goes_with_the_order(tmp_path):
    first, second = tmp_path / "a.step", tmp_path / "b.step"
    first.write_text(exported(1))
    second.write_text(exported(2).replace("2031-02-03T04:05:06", "2032-12-31T00:00:01"))
    stamps.fix_all(tmp_path)
    assert first.read_bytes() == second.read_bytes() and b"203" not in first.read_bytes()


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("solid x\nendsolid x\n", "not a STEP file"),
        (HEAD + "#1 = FACE('',#2);\n" + TAIL, "no entity #2"),
        (HEAD + "FACE('');\n" + TAIL, "not an entity"),
        (HEAD + "#1 = FACE('')\n" + TAIL, "ends within"),
    ],
)
def test_a_broken_file_is_refused(text, why):
    with pytest.raises(ValueError, match=why):
        step.in_order(text)
