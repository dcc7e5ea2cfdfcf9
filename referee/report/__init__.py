"""Proof: photo finishes, the report page, and tracks of a game, made from its record and its recording.

`game` reads the lines of a record; `footage` the recording; `photofinish` draws; `page` writes one self-contained file;
`tracks` writes subtitles, labels and tables. Nothing here rules: what is shown was ruled by `referee.match`.
"""
