import { renderToStaticMarkup } from 'react-dom/server';
import { describe, expect, it } from 'vitest';
import { Markdown } from './Markdown';

const render = (text: string) => renderToStaticMarkup(<Markdown text={text} scope="a1" />);

describe('an argument’s markdown', () => {
  it('shows HTML as text', () => {
    expect(render('A Vec<String> here')).toContain('A Vec&lt;String&gt; here');
    expect(render('<script>alert(1)</script>')).toContain('<p>&lt;script&gt;alert(1)&lt;/script&gt;</p>');
    expect(render('seen <!-- hidden -->')).toContain('&lt;!-- hidden --&gt;');
    expect(render('> <b>quoted</b>\n\n- <i>listed</i>')).toContain('&lt;i&gt;listed&lt;/i&gt;');
  });

  it('links to http, https and mailto only', () => {
    expect(render('[a](https://example.com)')).toContain('href="https://example.com"');
    for (const href of ['javascript:x', '/d/x', 'data:text/html,x', '#x', 'file:///x']) {
      expect(render(`[a](${href})`)).not.toContain('href');
    }
  });

  it('shows an image as a link', () => {
    const html = render('![chart](https://example.com/c.png)');
    expect(html).not.toContain('<img');
    expect(html).toContain('href="https://example.com/c.png"');
  });

  it('shows text that is nested too deeply to parse as plain text', () => {
    expect(render('>'.repeat(10_240))).toContain('&gt;'.repeat(10_240));
  });

  it('keeps line breaks, tables and tasks', () => {
    expect(render('one\ntwo')).toContain('<br/>');
    expect(render('| a | |\n|---|---|\n| 1 | 2 |')).toContain('<th scope="col">a</th>');
    expect(render('- [x] done')).toContain('☑');
  });
});
