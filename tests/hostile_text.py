"""A text that would do harm wherever it were taken for more than a text."""

from __future__ import annotations

HOSTILE = (
    "<script>document.title='run';alert(1)</script> <img src=https://evil.example/x.png onerror=alert(2)> "
    "<iframe src=https://evil.example></iframe> <svg onload=alert(3)> <link rel=stylesheet href=//evil.example/x.css> "
    '</span></div></style><style>@import url(https://evil.example/y.css)</style> " onfocus=alert(4) autofocus x=" '
    "<meta http-equiv=refresh content='0;url=https://evil.example'> javascript:alert(5) " + "unbroken" * 40
)
