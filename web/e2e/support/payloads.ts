const RUN = 'window.__ran=1';

/** Markdown, HTML and URLs that try to run a script. */
export const PAYLOADS = [
  `<script>${RUN}</script>`,
  `<img src=x onerror="${RUN}">`,
  `<svg onload="${RUN}">`,
  `<svg><script>${RUN}</script></svg>`,
  `<iframe srcdoc="<script>parent.${RUN}</script>"></iframe>`,
  `<iframe src="javascript:parent.${RUN}"></iframe>`,
  `[click](javascript:${RUN})`,
  `[click](JaVaScRiPt:${RUN})`,
  `[click](javascript&#58;${RUN})`,
  `[click](java\tscript:${RUN})`,
  `[click](data:text/html;base64,PHNjcmlwdD53aW5kb3cuX19yYW49MTwvc2NyaXB0Pg==)`,
  `[click](vbscript:${RUN})`,
  `<a href="javascript:${RUN}">click</a>`,
  `![x](javascript:${RUN})`,
  `![x" onerror="${RUN}](x)`,
  `<details open ontoggle="${RUN}">x</details>`,
  `<body onload="${RUN}">`,
  `<input autofocus onfocus="${RUN}">`,
  `<math><mtext></mtext><mglyph><style></math><img src onerror="${RUN}">`,
  `<style>@import 'javascript:${RUN}';</style>`,
  `<link rel=stylesheet href="javascript:${RUN}">`,
  `<meta http-equiv="refresh" content="0;url=javascript:${RUN}">`,
  `\`\`\`html\n</code></pre><script>${RUN}</script>\n\`\`\``,
  `<javascript:${RUN}> "><img src=x onerror="${RUN}"> {{constructor.constructor('${RUN}')()}}`,
];

/** How many of them one text has. */
export const TOGETHER = 6;

/** Texts that have all of them, so that a page need not be opened for each. */
export const PAYLOAD_TEXTS = Array.from({ length: PAYLOADS.length / TOGETHER }, (_, index) =>
  PAYLOADS.slice(index * TOGETHER, (index + 1) * TOGETHER).join('\n\n'),
);
