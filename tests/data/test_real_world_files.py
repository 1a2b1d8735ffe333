"""Files as people have them: each is read right, or refused in one line that helps."""

from __future__ import annotations

import gzip
import io
import json
import sys
import zipfile

import openpyxl
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from heedful.config import Config
from heedful.data.bad_rows import BadRows
from heedful.data.columns import Columns
from heedful.data.file_form import form_of
from heedful.data.task_files import read_task_file
from heedful.errors import ConfigError, DataError, MissingExtraError

GOOD, BAD = "Très bon café, ça va bien", "Hôtel affreux, très cher"
ROWS = [(GOOD, "good"), (BAD, "bad")]
PLAIN = [("it was great", "good"), ("it was awful", "bad")]


def read(path, **settings):
    """Read a file as `heedful train` does; return (text, label) of each example, and the line about it."""
    config = Config().changed(train=str(path), **settings)
    faults = BadRows(skip=config.data.skip_bad, form=form_of(config.data))
    asked = Columns(config.data.text, config.data.label)
    examples, _ = read_task_file(str(path), config, asked=asked, faults=faults)
    return [(e.text, e.label) for e in examples], "; ".join(faults.summaries.values())


def refusal(path, **settings):
    """Return why a file is refused; it must be one line."""
    with pytest.raises(DataError) as caught:
        read(path, **settings)
    message = str(caught.value)
    assert "\n" not in message and len(message) < 400 + len(str(path))
    return message.replace(str(path), path.name)


@pytest.fixture
def file(tmp_path):
    """Return a function that writes a file."""

    def write(name, content, encoding="utf-8"):
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content if isinstance(content, bytes) else content.encode(encoding))
        return path

    return write


def table(rows=ROWS, sep=",", header=("text", "label"), end="\n"):
    lines = [header, *rows] if header else rows
    return end.join(sep.join(f'"{cell}"' if sep in cell else cell for cell in line) for line in lines) + end


# --- encodings


def test_cp1252_is_detected_and_said_with_words_to_check(file):
    rows, line = read(file("a.csv", table(), "cp1252"))
    assert rows == ROWS
    assert "2 rows, columns text, label, separator ',', encoding cp1252 (guessed; reads Très, café" in line


@pytest.mark.parametrize(
    "text",
    [
        "Größe und Höhe überall, das Hotel war schön",
        "¡Qué bueno! El año pasado ¿dónde estuvo el niño?",
        "Hotellet var dejligt, rødgrød med fløde på gåben",
        "Það var gott hótel, þjónustan frábær, ég mæli með því",
        "O hotel é ótimo, o café da manhã não é à parte, as opções",
        "Perché è così bello? Più di là, però",
        "Väga hea hotell, õhtul jõi ta teed, šokolaad",
        "it’s “fine” – £5, €3",
    ],
)
def test_western_languages_are_read(file, text):
    assert read(file("a.csv", table([(text, "a"), (text, "b")]), "cp1252"))[0] == [(text, "a"), (text, "b")]


def test_an_accent_after_a_million_ascii_characters_counts(file):
    many = [("plain text " * 10, "bad")] * 10_000
    rows, line = read(file("a.csv", table([*many, ("it’s a café", "good")]), "cp1252"))
    assert rows[-1] == ("it’s a café", "good") and "cp1252" in line


@pytest.mark.parametrize("encoding", ["utf-16", "utf-16-le", "utf-16-be", "utf-32", "utf-8-sig"])
def test_wide_encodings_and_marks_are_detected(file, encoding):
    rows, line = read(file("a.csv", table(end="\r\n"), encoding))
    assert rows == ROWS and f"encoding {encoding.removesuffix('-sig')}" in line


@pytest.mark.parametrize("encoding", ["latin-1", "cp1250", "shift_jis"])
def test_an_encoding_that_is_given_is_used(file, encoding):
    text = {"latin-1": "déjà vu", "cp1250": "příliš žluťoučký kůň", "shift_jis": "とても良い店です"}[encoding]
    rows, line = read(file("a.csv", table([(text, "a"), (text, "b")]), encoding), encoding=encoding)
    assert rows == [(text, "a"), (text, "b")] and f"encoding {encoding}" in line


@pytest.mark.parametrize(
    ("text", "encoding"),
    [
        ("Очень хороший отель, мне понравилось", "cp1251"),
        ("Очень хороший отель", "koi8-r"),
        ("とても良い店です", "shift_jis"),
        ("这家酒店非常好", "gb18030"),
        ("매우 좋은 호텔입니다", "euc-kr"),
        ("Πολύ καλό ξενοδοχείο", "cp1253"),
        ("Było bardzo miło, świetna obsługa i łóżko, wróciłbym znów", "cp1250"),
        ("Größe und Höhe überall", "cp850"),
        ("Hotel byl čistý, personál milý a příjemný, snídaně výborná, určitě se vrátíme", "cp1250"),
        ("Nagyon jó szálloda volt, kedves személyzettel, a reggeli bőséges, a fürdő gyönyörű", "cp1250"),
        ("Otel çok güzeldi, kahvaltı harikaydı, şiddetle tavsiye ederim", "cp1254"),
        ("Viešbutis labai švarus, pusryčiai puikūs, tikrai sugrįšime čia", "cp1257"),
    ],
)
def test_other_encodings_are_never_garbled(file, text, encoding):
    path = file("a.csv", table([(text, "a"), (text, "b")]), encoding)
    message = refusal(path)
    assert "line 2" in message and "is not UTF-8" in message and "Set encoding, such as cp1250" in message
    assert read(path, encoding=encoding)[0] == [(text, "a"), (text, "b")]


def test_a_file_of_two_encodings_is_refused_with_a_line_of_each(file):
    path = file("a.csv", table().encode() + "déjà,good\n".encode("cp1252"))
    assert "line 4: byte 2 (0xe9) is not UTF-8, but 2 other lines are, such as 2" in refusal(path)


def test_an_encoding_that_is_wrong_or_unknown_is_named(file):
    assert "line 2: byte 4 (0xc3) is not ascii" in refusal(file("a.csv", table()), encoding="ascii")
    for name in ("cp12522", "zip", "rot13", "base64"):
        with pytest.raises(ConfigError, match=f"data.encoding is '{name}', expected an encoding such as"):
            read(file("a.csv", table()), encoding=name)


# --- separators, headers, columns


@pytest.mark.parametrize(("sep", "name"), [(";", "';'"), ("\t", "tab"), ("|", "'|'"), (",", "','")])
def test_separators_are_detected(file, sep, name):
    rows, line = read(file("a.csv", table(sep=sep)))
    assert rows == ROWS and f"separator {name}" in line


@pytest.mark.parametrize("sep", ["semicolon", ";"])
def test_a_separator_that_is_given_wins(file, sep):
    assert read(file("a.csv", "a,b;c\nx,y;good\nz,w;bad\n"), sep=sep, text="a,b", label="c")[0] == [
        ("x,y", "good"),
        ("z,w", "bad"),
    ]


def test_a_separator_of_several_characters_is_refused(file):
    with pytest.raises(ConfigError, match=r"data\.sep is '::', expected one character, or tab, comma"):
        read(file("a.csv", table()), sep="::")


def test_lines_with_tabs_and_no_header_are_read_when_asked_so(file):
    path = file("SMSSpamCollection", 'ham\t"Go until jurong\nspam\tFree entry\n')
    assert "unknown file extension" in refusal(path) and "(--sep)" in refusal(path)
    rows, line = read(path, sep="tab", header=False, text="column_2", label="column_1")
    assert rows == [('"Go until jurong', "ham"), ("Free entry", "spam")] and "no header" in line


@pytest.mark.parametrize(
    "content",
    [
        "ham,Go until jurong\nspam,Free entry\nham,Ok lar\n",  # a label that occurs again
        "5,The food was great and the staff was friendly.\n1,We waited for an hour and left.\n",
    ],
)
def test_a_first_row_that_is_data_is_asked_about(file, content):
    path = file("a.csv", content)
    message = refusal(path)
    assert "a.csv, line 1: is the first line a row of data?" in message and "--no-header" in message
    assert len(read(path, header=False, text="column_2", label="column_1")[0]) == content.count("\n")


def test_questions_of_a_form_are_names_of_columns(file):
    question = "What did you like about your visit to our shop today?"
    path = file("form.csv", f'"{question}","How many stars?"\nthe coffee and the cake,5\nnothing at all,1\n')
    assert read(path, text=question, label="How many stars?")[0][0] == ("the coffee and the cake", "5")


def test_spam_csv_of_kaggle(file):
    lines = [f"ham,Ok lar {i} joking wif u oni at £{i},,," for i in range(30)]
    lines[3] = "ham,don‰Û÷t go to Ìü for å£1000 ‰Û_,,,"  # as in the original, which was garbled before
    lines += ['spam,"Free entry, now \x93win\x94",,,', "ham,My bad,text that ran over, and more,"]
    path = file(
        "spam.csv", ("v1,v2,,,\r\n" + "\r\n".join(lines) + "\r\n").replace("\x93", "“").replace("\x94", "”"), "cp1252"
    )
    for settings in ({"text": "v2", "label": "v1"}, {"text": "v2"}, {}):
        rows, line = read(path, **settings)
        assert rows[1] == ("Ok lar 1 joking wif u oni at £1", "ham") and rows[30] == ("Free entry, now “win”", "spam")
        assert "32 rows, columns v1, v2, column_3, column_4, column_5" in line and "text v2, label v1" in line


def test_subject_and_body_are_one_text(file):
    path = file("mails.csv", "subject,body,topic\nHello,my parcel is late,delivery\n,the bill is wrong,billing\n")
    rows, line = read(path, text="subject,body", label="topic")
    assert rows == [("Hello\nmy parcel is late", "delivery"), ("the bill is wrong", "billing")]
    assert "text subject,body, label topic" in line
    assert "no column 'bdoy'" in refusal(path, text="subject,bdoy") and "Did you mean body" in refusal(
        path, text="subject,bdoy"
    )


def test_columns_with_the_same_name_are_numbered(file):
    path = file("a.csv", "text,label,text\na b c,x,d\ne f g,y,h\n")
    assert "'text' appears more than once. Set text to text_1 or text_2" in refusal(path, text="text", label="label")
    assert read(path, text="text_2", label="label")[0] == [("d", "x"), ("h", "y")]


# --- contents


def test_quoted_newlines_html_and_scripts_stay_as_they_are(file):
    texts = ["<p>one &amp; two</p>\n<br/>three", 'say ""no""', "日本語のテキスト 👍🏽", "שלום", "a\tb"]
    rows = [(text, str(i % 2)) for i, text in enumerate(texts)]
    content = "text,label\n" + "".join(f'"{text}",{label}\n' for text, label in rows)
    assert read(file("a.csv", content))[0] == [(text.replace('""', '"'), label) for text, label in rows]


def test_mixed_line_ends_and_empty_rows(file):
    assert read(file("a.csv", "text,label\r\nit was great,good\n\n,\r\nit was awful,bad"))[0] == PLAIN


def test_old_mac_line_ends_are_refused(file):
    assert "Classic Mac line endings" in refusal(file("a.csv", table(PLAIN, end="\r")))


def test_zero_bytes_are_part_of_a_text(file):
    assert read(file("a.csv", "text,label\nnull\0byte,a\nnone,b\n"))[0] == [("null\0byte", "a"), ("none", "b")]


def test_ragged_rows_are_named_or_skipped_and_empty_cells_at_the_end_are_not(file):
    path = file("a.csv", "text,label\nit was great,good,,\nlonely\na,b,c\nit was awful,bad\n")
    assert "line 3: found 1 column, expected 2 (text, label). Is the separator a comma?" in refusal(path)
    assert read(path, skip_bad=True)[0] == PLAIN


def test_many_labels_and_labels_with_one_example(file):
    rows = [(f"text {i}", f"intent {i % 77}") for i in range(78)]
    examples, _ = read(file("banking77.csv", table(rows)))
    assert examples == rows and len({label for _, label in examples}) == 77


def test_several_labels_per_text(file):
    path = file("toxic.csv", "id,comment_text,toxic,insult\n1,you fool,1,1\n2,thank you,0,0\n3,hm,,0\n")
    rows, _ = read(path, text="comment_text", label="toxic,insult")
    assert rows == [("you fool", ("1", "1")), ("thank you", ("0", "0")), ("hm", ("", "0"))]


def test_an_empty_file_and_a_binary_file_are_refused(file):
    assert "the file is empty" in refusal(file("a.csv", ""))
    assert "is not UTF-8" in refusal(file("b.csv", bytes(range(256)) * 4))
    assert "unknown file extension" in refusal(file("a.docx", b"PK")) and "Unzip it first" in refusal(
        file("a.zip", b"PK")
    )


# --- JSON


def test_json_arrays_of_objects_and_texts(file):
    objects = [{"text": text, "label": label} for text, label in ROWS]
    assert read(file("a.json", json.dumps(objects, indent=2)))[0] == ROWS
    assert read(file("b.json", json.dumps(objects, ensure_ascii=False), "utf-16"))[0] == ROWS
    assert read(file("c.json.gz", gzip.compress(json.dumps(objects).encode())))[0] == ROWS


def test_json_lines_called_json_are_read(file):
    rows, line = read(file("a.json", "".join(json.dumps({"text": t, "label": x}) + "\n" for t, x in ROWS)))
    assert rows == ROWS and "JSON lines" in line


@pytest.mark.parametrize(
    ("content", "reason"),
    [
        ('{"data": [\n{"text": "a"}\n]}', "found an object, expected an array such as"),
        ('[{"text": "a", "label": 1}, {"text": nope}]', "line 2: not JSON: Expecting value"),
        ('[{"text": "a", "label": 1}', "the file ends inside the array"),
        ('[{"text": "a", "label": 1} {"text"', "found '{' after an element, expected a comma"),
        ("[1, 2]", "found an element that starts with '1', expected an object or a text"),
        ('"text"', "the file starts with '\"'"),
        ("", "the file is empty"),
        ("[" * 100_000, "found an element that starts with '['"),
        ('[{"a":' + '{"a":' * 100_000, "the JSON is nested too deeply"),
    ],
)
def test_other_json_is_refused(file, content, reason):
    assert reason in refusal(file("a.json", content))


# --- Excel


def workbook(*sheets):
    book = openpyxl.Workbook()
    book.remove(book.active)
    for name, rows in sheets:
        sheet = book.create_sheet(name)
        for row in rows:
            sheet.append(row)
    raw = io.BytesIO()
    book.save(raw)
    return raw.getvalue()


def test_excel_reads_the_first_sheet_or_the_one_that_is_named(file):
    rows = [("text", "label", None), *ROWS, (None, None), ("42", 1.0), (7, True), ("=1+1", "x")]
    path = file("a.xlsx", workbook(("Data", rows), ("Other", [("text", "label"), ("a", "b"), ("c", "d")])))
    examples, line = read(path, skip_bad=True)
    assert examples == [*ROWS, ("42", "1"), ("7", "TRUE"), ("", "x")] and "sheet 'Data'" in line
    assert read(path, sheet="Other")[0] == [("a", "b"), ("c", "d")]
    assert "no sheet 'Othr'. The sheets are Data, Other. Did you mean Other?" in refusal(path, sheet="Othr")


def test_excel_without_a_header(file):
    path = file("a.xlsx", workbook(("Data", [("good", "so nice"), ("bad", "so slow"), ("good", "great")])))
    assert "--no-header" in refusal(path)
    assert read(path, header=False, text="column_2", label="column_1")[0][0] == ("so nice", "good")


def test_a_workbook_that_is_none_or_empty_is_refused(file):
    assert "not an .xlsx workbook, or damaged" in refusal(file("a.xlsx", b"not a zip"))
    assert "not an .xlsx workbook, or damaged" in refusal(file("b.xlsx", workbook(("A", ROWS))[:2000]))
    assert "the sheet is empty" in refusal(file("c.xlsx", workbook(("A", []))))
    assert "Save the sheet as .xlsx or .csv" in refusal(file("d.xls", b"\xd0\xcf"))


def test_a_workbook_that_is_a_zip_bomb_is_refused(file, monkeypatch):
    raw = io.BytesIO()
    with zipfile.ZipFile(raw, "w", zipfile.ZIP_DEFLATED) as zipped:
        zipped.writestr("xl/sharedStrings.xml", b" " * 2**20)
    monkeypatch.setattr("heedful.data.files.xlsx.FREE_BYTES", 2**19)
    assert "refused as a possible zip bomb" in refusal(file("a.xlsx", raw.getvalue()))
    monkeypatch.setattr("heedful.data.files.xlsx.MOST_BYTES", 2**19)
    assert "xl/sharedStrings.xml is 1 MiB when decompressed, expected at most 0 MiB" in refusal(
        file("a.xlsx", raw.getvalue())
    )


def changed_sheet(change):
    """Return a workbook whose sheet was changed."""
    raw = io.BytesIO()
    with (
        zipfile.ZipFile(io.BytesIO(workbook(("A", [("text", "label"), *PLAIN])))) as old,
        zipfile.ZipFile(raw, "w") as new,
    ):
        for name in old.namelist():
            content = old.read(name)
            new.writestr(name, change(content) if name.startswith("xl/worksheets/sheet") else content)
    return raw.getvalue()


def test_hostile_sheets_are_refused(file):
    def with_entities(*entities):
        return lambda raw: b"<!DOCTYPE x [" + b"".join(entities) + b"]>" + raw.replace(b"<t>text</t>", b"<t>&e;</t>")

    bomb = [
        b'<!ENTITY a "' + b"a" * 1000 + b'">',
        *(b'<!ENTITY %c "%s">' % (98 + i, b"&%c;" % (97 + i) * 50) for i in range(4)),
    ]
    assert "amplification" in refusal(file("bomb.xlsx", changed_sheet(with_entities(*bomb))))
    outside = b'<!ENTITY e SYSTEM "file:///etc/passwd">'
    assert "undefined entity" in refusal(file("outside.xlsx", changed_sheet(with_entities(outside))))
    far = changed_sheet(lambda raw: raw.replace(b'<row r="3"', b'<row r="999999999"').replace(b'3" t', b'999999999" t'))
    assert "more than 1,048,576 rows" in refusal(file("far.xlsx", far))


def test_a_cell_far_away_costs_no_memory(file):
    book = openpyxl.Workbook()
    for row in [("text", "label"), *ROWS]:
        book.active.append(row)
    book.active["XFD20000"] = " "
    raw = io.BytesIO()
    book.save(raw)
    assert read(file("a.xlsx", raw.getvalue()))[0] == ROWS


def test_excel_names_its_extra(file, monkeypatch):
    monkeypatch.setitem(sys.modules, "openpyxl", None)
    with pytest.raises(MissingExtraError, match=r"Reading \.xlsx needs packages.*heedful\[excel\]"):
        read(file("a.xlsx", b""))


# --- several files


def test_a_pattern_and_a_folder_are_one_file(file, tmp_path):
    for i, (text, label) in enumerate(PLAIN):
        file(f"parts/{i}.csv", table([(text, label)], sep=",;"[i]))
    file("parts/_SUCCESS", "")
    for path in (tmp_path / "parts" / "*.csv", tmp_path / "parts"):
        rows, line = read(path)
        assert rows == PLAIN and "2 files, 2 rows, columns text, label" in line
    file("parts/2.csv", "text,label\nx,\n")
    assert "2.csv, line 2: label is empty" in refusal(tmp_path / "parts")
    assert "no file matches" in refusal(tmp_path / "parts" / "*.tsv")


def test_a_folder_of_parquet_and_one_of_several_formats(file, tmp_path):
    (tmp_path / "shards").mkdir()
    for i, (text, label) in enumerate(PLAIN):
        pq.write_table(pa.table({"text": [text], "label": [label]}), tmp_path / "shards" / f"{i}.parquet")
    assert read(tmp_path / "shards")[0] == PLAIN
    file("shards/a.csv", table())
    assert "files of several formats (.csv, .parquet). Name one, such as" in refusal(tmp_path / "shards")
    (tmp_path / "none").mkdir()
    assert "no file with a known extension" in refusal(tmp_path / "none")
    file("model/config.toml", "")
    assert "this is a model folder" in refusal(tmp_path / "model")


# --- Hugging Face


def dataset(folder, batches, *, names=None, files=None, **state):
    """Write a folder as `datasets.save_to_disk` does."""
    folder.mkdir(parents=True, exist_ok=True)
    filenames = []
    for i, (texts, labels) in enumerate(batches):
        filenames.append(f"data-{i:05}-of-{len(batches):05}.arrow")
        rows = pa.table({"text": texts, "label": pa.array(labels, pa.int64() if names else pa.string())})
        with pa.ipc.new_stream(str(folder / filenames[-1]), rows.schema) as writer:
            writer.write_table(rows)
    label = {"names": names, "_type": "ClassLabel"} if names else {"dtype": "string", "_type": "Value"}
    features = {"text": {"dtype": "string", "_type": "Value"}, "label": label}
    (folder / "dataset_info.json").write_text(json.dumps({"features": features}))
    listed = [{"filename": name} for name in files or filenames]
    (folder / "state.json").write_text(json.dumps({"_data_files": listed, "_split": "train", **state}))
    return folder


def test_a_dataset_folder_has_its_labels_by_name(tmp_path):
    path = dataset(tmp_path / "imdb", [(["so good"], [1]), (["so bad", "?"], [0, 1])], names=["neg", "pos"])
    rows, line = read(path)
    assert rows == [("so good", "pos"), ("so bad", "neg"), ("?", "pos")] and "3 rows" in line


def test_a_dataset_with_splits_names_them(tmp_path):
    dataset(tmp_path / "all" / "train", [([t for t, _ in PLAIN], [x for _, x in PLAIN])])
    (tmp_path / "all" / "dataset_dict.json").write_text(json.dumps({"splits": ["train", "test"]}))
    assert "the splits train, test: name one of them, such as all/train" in refusal(tmp_path / "all").replace(
        f"{tmp_path}/", ""
    )
    assert read(tmp_path / "all" / "train")[0] == PLAIN


def test_a_dataset_cannot_name_files_elsewhere(tmp_path):
    dataset(tmp_path / "other", [(["a"], ["x"])])
    for name in ("../other/data-00000-of-00001.arrow", "/etc/passwd", "..", None):
        path = dataset(tmp_path / "d", [(["a"], ["x"])], files=[name])
        assert "expected the name of a file in this folder" in refusal(path)
    path = dataset(tmp_path / "g", [(["a"], ["x"])], files=["link.arrow"])
    (path / "link.arrow").symlink_to(tmp_path / "other" / "data-00000-of-00001.arrow")
    assert "a link that leads out of the folder" in refusal(path)
    path = dataset(tmp_path / "e", [(["a"], ["x"])])
    (path / "data-00000-of-00001.arrow").write_bytes(b"pickle?" * 100)
    assert "not an Arrow file, or damaged" in refusal(path)
    path = dataset(tmp_path / "f", [(["a"], ["x"])], _indices_data_files=[{"filename": "i.arrow"}])
    assert "flatten_indices()" in refusal(path)


def test_tagged_tokens_in_latin_1(file):
    lines = "España B-LOC\nganó O\n\nEl O\nniño O\n"
    rows, line = read(file("esp.conll", lines, "latin-1"), task="tag")
    assert rows == [(("España", "ganó"), ("B-LOC", "O")), (("El", "niño"), ("O", "O"))] and "cp1252" in line
