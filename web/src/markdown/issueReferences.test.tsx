import { describe, expect, it } from 'vitest';
import { renderMarkdown } from '@/testing/renderMarkdown';
import { issue } from '@/testing/samples';
import { IssueLinksContext } from '@/ui/IssueLink';
import { issueReferencesIn } from './issueReferences';

const mentioned = (text: string) => issueReferencesIn(text).map(({ id }) => id);

describe('a text mentions an issue', () => {
  it.each([
    ['alone', 'I3', ['I3']],
    ['in a sentence', 'Fixed I3, (I4) and “I12”.', ['I3', 'I4', 'I12']],
    ['in a range', 'I1-I4, I5–I6', ['I1', 'I4', 'I5', 'I6']],
    ['before a colon', 'I3: plan 3.1', ['I3']],
  ])('%s', (_, text, ids) => expect(mentioned(text)).toEqual(ids));

  it.each(['MI3', 'I3a', 'I0', 'I1000', 'i3', 'I', 'I_3', 'src/I3.rs', 'I3.txt', 'Ô3 ÔI3', '#I3', '\\I3'])(
    'not by %s',
    (text) => expect(mentioned(text)).toEqual([]),
  );
});

/** The texts of the links to issues in a rendered argument, if the debate has I1 to I3. */
async function links(text: string, isDocument = false): Promise<string[]> {
  const issues = new Map(['I1', 'I2', 'I3'].map((id) => [id, issue({ id })]));
  const html = await renderMarkdown(text, isDocument, (markdown) => (
    <IssueLinksContext value={{ path: '', find: (id) => issues.get(id), show: () => undefined }}>
      {markdown}
    </IssueLinksContext>
  ));
  return Array.from(
    html.matchAll(/<a href="#(I\d+)"[^>]*>([^<]*)<\/a>/g),
    ([, href, words]) => `${href} ${words}`,
  );
}

describe('a mention becomes a link', () => {
  it.each([
    ['in a paragraph', 'See I3.', ['I3 I3']],
    ['in bold', '**I1** and *I2*', ['I1 I1', 'I2 I2']],
    ['in a heading', '# I1', ['I1 I1']],
    ['in a list', '- I1\n- I2', ['I1 I1', 'I2 I2']],
    ['in a table', '| a |\n|---|\n| I3 |', ['I3 I3']],
  ])('%s', async (_, text, found) => expect(await links(text)).toEqual(found));

  it.each([
    ['in code', '`I3`'],
    ['in a block of code', '```\nI3\n```'],
    ['in a link', '[I3](https://example.com)'],
    ['of an issue that the debate does not have', 'I4'],
  ])('but not %s', async (_, text) => expect(await links(text)).toEqual([]));

  it('but not in a document, and not outside a debate', async () => {
    expect(await links('I3', true)).toEqual([]);
    expect(await renderMarkdown('See I3.')).toContain('>See I3.</p>');
  });
});
