import { renderToStaticMarkup } from 'react-dom/server';
import { describe, expect, it } from 'vitest';
import { renderMarkdown as render } from '@/testing/renderMarkdown';
import { Markdown } from './Markdown';

describe('an argument’s markdown', () => {
  it('shows HTML as text', async () => {
    expect(await render('A Vec<String> here')).toContain('A Vec&lt;String&gt; here');
    expect(await render('<script>alert(1)</script>')).toContain(
      '<p>&lt;script&gt;alert(1)&lt;/script&gt;</p>',
    );
    expect(await render('seen <!-- hidden -->')).toContain('&lt;!-- hidden --&gt;');
    expect(await render('> <b>quoted</b>\n\n- <i>listed</i>')).toContain('&lt;i&gt;listed&lt;/i&gt;');
  });

  it('links to http, https and mailto only', async () => {
    expect(await render('[a](https://example.com)')).toContain('href="https://example.com"');
    for (const href of ['javascript:x', '/d/x', 'data:text/html,x', '#x', 'file:///x']) {
      expect(await render(`[a](${href})`)).not.toContain('href');
    }
  });

  it('shows an image as a link', async () => {
    const html = await render('![chart](https://example.com/c.png)');
    expect(html).not.toContain('<img');
    expect(html).toContain('href="https://example.com/c.png"');
  });

  it('shows text that is nested too deeply to parse as plain text', async () => {
    const html = renderToStaticMarkup(<Markdown text={'>'.repeat(10_240)} scope="a1" />);
    expect(html).toContain('&gt;'.repeat(10_240));
  });

  it('shows a single line break as a space, and keeps tables, tasks and hard breaks', async () => {
    expect(await render('one\ntwo')).toContain('<p>one\ntwo</p>');
    expect(await render('one\\\ntwo')).toContain('one<br/>');
    expect(await render('| a | |\n|---|---|\n| 1 | 2 |')).toContain('<th scope="col">a</th>');
    expect(await render('- [x] done')).toContain('☑');
  });

  it('shows code in the colours of its language', async () => {
    expect(await render('```rust\nfn main() {}\n```')).toContain('<span class="hljs-keyword">fn</span>');
    expect(await render('```unknown\nfn main() {}\n```')).not.toContain('hljs');
  });
});
