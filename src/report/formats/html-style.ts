/** One column, system fonts, quiet colours; dark where the reader's system is dark, black on white on paper. */
export const style = `
:root { --ink: #1c2329; --soft: #5b6670; --line: #dde2e6; --page: #ffffff; --tint: #f5f7f9; --accent: #00568a; --bad: #b3410b; color-scheme: light dark; }
@media screen and (prefers-color-scheme: dark) {
  :root { --ink: #e4e8eb; --soft: #9aa5ae; --line: #353d44; --page: #15191c; --tint: #1d2327; --accent: #6fb6e6; --bad: #f08a52; }
}
* { box-sizing: border-box; }
html { font: 16px/1.6 system-ui, -apple-system, 'Segoe UI', Roboto, 'Helvetica Neue', Arial, sans-serif; -webkit-text-size-adjust: 100%; }
body { margin: 0; background: var(--page); color: var(--ink); }
main, header, footer { max-width: 72rem; margin: 0 auto; padding: 0 1.5rem; }
header { padding-top: 2.25rem; }
.brand { margin: 0; font-size: .8rem; letter-spacing: .08em; text-transform: uppercase; color: var(--accent); font-weight: 600; }
h1 { font-size: 1.65rem; line-height: 1.25; margin: .2rem 0 .2rem; font-weight: 650; letter-spacing: -.01em; }
.subtitle { margin: 0; color: var(--soft); }
nav { margin: .8rem 0 0; padding: 0 0 .7rem; border-bottom: 1px solid var(--line); font-size: .88rem; }
nav a { color: var(--soft); text-decoration: none; margin-right: 1.2rem; white-space: nowrap; }
nav a:hover { color: var(--accent); text-decoration: underline; }
main > section { padding: 1.6rem 0 .4rem; }
main > section + section { border-top: 1px solid var(--line); margin-top: 1.4rem; }
main > #verdict { padding-top: 1.3rem; padding-bottom: 0; }
main > #verdict + section { border: 0; margin-top: 0; padding-top: 2rem; }
main > #verdict + #scores { padding-top: .6rem; }
main > #verdict > h2, main > #scores > h2 { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); }
h2 { font-size: 1.4rem; line-height: 1.3; margin: 0 0 1rem; font-weight: 650; letter-spacing: -.01em; }
h3 { font-size: 1.02rem; margin: 1.5rem 0 .5rem; font-weight: 600; }
p, li { max-width: 46rem; }
.verdict { border-left: 4px solid var(--accent); padding: .1rem 0 .1rem 1.25rem; }
.verdict p { font-size: 1.17rem; line-height: 1.5; margin: .55rem 0; max-width: 58rem; }

.alarm { border: 2px solid var(--bad); border-radius: 6px; padding: .2rem 1rem; margin: .8rem 0; }
.alarm p { color: var(--bad); font-weight: 600; max-width: 58rem; margin: .5rem 0; }
ul { padding-left: 1.2rem; margin: 1rem 0; }
li { margin: .3rem 0; }
h1, h2, h3, p, li { overflow-wrap: anywhere; }
code { font: .88em ui-monospace, SFMono-Regular, Menlo, Consolas, monospace; }
.code { background: var(--tint); border: 1px solid var(--line); border-radius: 6px; padding: 1rem; overflow-x: auto; line-height: 1.5; }
.note, .key { color: var(--soft); font-size: .86rem; max-width: 58rem; margin: .5rem 0; }
.wide { overflow-x: auto; }
table { border-collapse: collapse; font-size: .9rem; font-variant-numeric: tabular-nums lining-nums; min-width: 40%; }
th, td { text-align: left; padding: .4rem .9rem .4rem 0; vertical-align: top; }
th { font-weight: 600; color: var(--soft); font-size: .8rem; line-height: 1.3; vertical-align: bottom; border-bottom: 1.5px solid var(--ink); }
td { border-bottom: 1px solid var(--line); }
th.r, td.r { text-align: right; white-space: nowrap; padding-left: .6rem; }
th.r { white-space: normal; }
td:first-child { font-weight: 500; }
#table-scores td { vertical-align: baseline; }
#table-scores th, #table-scores td { padding-right: .55rem; }
#table-scores td:first-child { white-space: nowrap; }
#table-scores tbody tr:first-child td { font-weight: 650; background: var(--tint); }
#table-facts td:nth-child(2), #table-models td:nth-child(n+6), #table-left-out td:nth-child(n+5), #table-lost-samples td:first-child { overflow-wrap: anywhere; }
#table-models td:nth-child(4) { min-width: 16rem; }
#table-beside table { font-size: .74rem; }
#table-beside th, #table-beside td { padding-left: .3rem; padding-right: .3rem; }
#table-beside td:nth-child(2n+3) { color: var(--soft); }
.table > h3 { margin-bottom: .3rem; }
.figures { display: flex; flex-wrap: wrap; gap: 1.6rem 2rem; margin: 1.4rem 0; }
figure { margin: 0; width: 100%; break-inside: avoid; }
figure.half { width: calc(50% - 1rem); }
figcaption { font-size: .9rem; color: var(--soft); margin-bottom: .5rem; max-width: 58rem; }
figcaption strong { color: var(--ink); font-weight: 600; }
figure svg { width: 100%; height: auto; color: var(--ink); display: block; overflow: visible; }
.get { display: flex; gap: .35rem; margin: .4rem 0 0; }
.get button { font: inherit; font-size: .74rem; color: var(--soft); background: none; border: 1px solid var(--line); border-radius: 4px; padding: .05rem .5rem; cursor: pointer; }
.get button:hover, .get button:focus-visible { color: var(--accent); border-color: var(--accent); }
details { margin: 1rem 0; }
summary { cursor: pointer; color: var(--accent); font-weight: 500; }
.key span { margin-right: 1.2rem; display: inline-block; }
.strip { margin: .6rem 0; break-inside: avoid; }
.strip[open] { margin-bottom: 1.6rem; }
.strip > summary { color: var(--ink); font-weight: 600; margin-bottom: .5rem; overflow-wrap: anywhere; }
.strip small { font-weight: 400; color: var(--soft); font-size: .82rem; margin-left: .4rem; }
.tiles { display: grid; grid-template-columns: repeat(auto-fill, minmax(7.4rem, 1fr)); gap: .7rem; }
.tile { border: 1px solid var(--line); border-radius: 6px; overflow: hidden; font-size: .75rem; line-height: 1.35; background: var(--tint); }
.tile.wrong { border: 2px solid var(--bad); }
.tile img { display: block; width: 100%; height: 6.4rem; object-fit: cover; background: var(--line); }
.tile p { margin: .3rem .45rem 0; font-weight: 600; }
.tile ul { list-style: none; margin: .1rem .45rem .4rem; padding: 0; }
.tile li { margin: 0; color: var(--soft); overflow-wrap: anywhere; }
.tile li.no { color: var(--bad); font-weight: 600; }
footer { padding-top: 1rem; padding-bottom: 3rem; color: var(--soft); font-size: .84rem; }
@media (max-width: 44rem) { figure.half { width: 100%; } h1 { font-size: 1.35rem; } .verdict p { font-size: 1.04rem; } }
@media print {
  @page { margin: 16mm 14mm; }
  html { font-size: 10.5px; }
  nav, .get { display: none; }
  main, header, footer { max-width: none; padding: 0; }
  h2, h3, figcaption { break-after: avoid; }
  tr, .tile { break-inside: avoid; }
  .wide { overflow: visible; }
  figure svg { min-width: 0 !important; }
  .tile { -webkit-print-color-adjust: exact; print-color-adjust: exact; }
}
`;
