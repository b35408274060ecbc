"""*Copy* beside code that stands in an output: drawn where the page trusts the output, absent where it does not.

An output's HTML has no script elements. The handler of a picture is run by JupyterLab, Notebook, VS Code and Colab in
trusted outputs and taken out of untrusted ones, on GitHub too; so there is never a button that does nothing. Where the
page may not write to the clipboard, the code is unfolded and selected.
"""

from __future__ import annotations

from html import escape

_ACT = """
(i=>{let d=i.parentNode,b=document.createElement('button'),w=navigator.clipboard;
b.type='button';b.textContent='Copy';b.title='Copy the code of all cells';b.style.cssText='LOOK';
b.onclick=()=>{let p=[...d.querySelectorAll('pre')],t=p.map(e=>e.textContent.trimEnd()).join('\\n\\n')+'\\n',
done=()=>{b.textContent='Copied'},
mark=()=>{d.querySelector('details').open=true;let r=document.createRange(),s=getSelection();
r.setStartBefore(p[0]);r.setEndAfter(p[p.length-1]);s.removeAllRanges();s.addRange(r);
b.textContent=document.execCommand('copy')?'Copied':'Selected: Ctrl+C copies'};
w?w.writeText(t).then(done,mark):mark()};
i.replaceWith(b)})(this)
"""
_DOT = "data:image/gif;base64,R0lGODlhAQABAAAAACH5BAEKAAEALAAAAAABAAEAAAICTAEAOw=="


def copy_html(look: str) -> str:
    """Return *Copy* for the `pre` elements beside it in the same element, one of them folded; `look`: its style."""
    act = "".join(_ACT.strip().splitlines()).replace("LOOK", look)
    return f'<img src="{_DOT}" alt="" onload="{escape(act)}">'
