import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { renderToStaticMarkup } from 'react-dom/server';
import { describe, expect, it } from 'vitest';
import { renderMarkdown as render } from '@/testing/renderMarkdown';
import { Markdown } from './Markdown';

describe('an argument’s markdown', () => {
  it('shows HTML as text', async () => {
    expect(await render('A Vec<String> here')).toContain('A Vec&lt;String&gt; here');
    expect(await render('<script>alert(1)</script>')).toContain('>&lt;script&gt;alert(1)&lt;/script&gt;</p>');
    expect(await render('seen <!-- hidden -->')).toContain('&lt;!-- hidden --&gt;');
    expect(await render('> <b>quoted</b>\n\n- <i>listed</i>')).toContain('&lt;i&gt;listed&lt;/i&gt;');
  });

  it('links to http, https and mailto only', async () => {
    expect(await render('[a](https://example.com)')).toContain('href="https://example.com"');
    for (const href of ['javascript:x', '/d/x', 'data:text/html,x', '#x', 'file:///x']) {
      expect(await render(`[a](${href})`)).not.toContain('href');
    }
  });

  it('shows where a link leads, unless that is its text', async () => {
    expect(await render('[a](https://example.com/b)')).toContain('>example.com/b</span>');
    expect(await render('<https://example.com/b>')).not.toContain('</span>');
  });

  it('shows characters that are invisible or turn others around, in code, too', async () => {
    expect(await render('keep\u202edetele')).toContain('keep\\u{202e}detele');
    const html = await render('```js\nif (a\u202e\u2066) {\n```');
    expect(html.replace(/<[^>]*>/g, '')).toContain('if (a\\u{202e}\\u{2066}) {');
  });

  it('has the direction of each block', async () => {
    expect(await render('# שלום\n\nEnglish.')).toMatch(/<h3 dir="auto">.*<p dir="auto">/s);
  });

  it('links a list of contents to the headings of a document', async () => {
    const html = await render(
      '- [The plan](#the-plan-1)\n- [Code](#no-heading)\n\n## The plan\n\n## The *plan*!',
      true,
    );
    expect(html).toMatch(/<button type="button" class="[^"]*">The plan<\/button>/);
    expect(html).toMatch(/id="a1-the-plan".*id="a1-the-plan-1"/s);
  });

  it('shows an image as a link', async () => {
    const html = await render('![chart](https://example.com/c.png)');
    expect(html).not.toContain('<img');
    expect(html).toContain('href="https://example.com/c.png"');
  });

  it('shows text that is nested too deeply to parse as plain text', async () => {
    const html = renderToStaticMarkup(
      <QueryClientProvider client={new QueryClient()}>
        <Markdown text={'>'.repeat(10_240)} scope="a1" />
      </QueryClientProvider>,
    );
    expect(html).toContain('&gt;'.repeat(10_240));
  });

  it('shows a single line break as a space, and keeps tables, tasks and hard breaks', async () => {
    expect(await render('one\ntwo')).toContain('>one\ntwo</p>');
    expect(await render('one\\\ntwo')).toContain('one<br/>');
    expect(await render('| a | |\n|---|---|\n| 1 | 2 |')).toContain('<th scope="col" dir="auto">a</th>');
    expect(await render('- [x] done')).toContain('☑');
  });

  it('shows code in the colours of its language', async () => {
    expect(await render('```rust\nfn main() {}\n```')).toContain('<span class="hljs-keyword">fn</span>');
    expect(await render('```unknown\nfn main() {}\n```')).not.toContain('hljs');
  });
});
