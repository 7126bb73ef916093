// In the head of the exported page, where `early-requests.mjs` puts it: asks for what the address shows while the scripts
// of the page still load. `src/api/earlyAnswers.ts` hands the answers over.
((CHUNKS) => {
  // A sign-in link: nothing can be asked before its code is exchanged.
  if (location.hash.startsWith('#sign-in=')) return;
  const id = /^\/d\/([0-9a-f-]{36})\/?$/i.exec(location.pathname)?.[1].toLowerCase();
  const search = new URLSearchParams(location.search);
  let token = null;
  try {
    token = sessionStorage.getItem('aweave.token');
  } catch {}

  const answers = new Map();
  window.aweaveEarlyAnswers = { token, answers };
  const headers = token === null ? {} : { authorization: `Bearer ${token}` };
  const ask = (path) => {
    const answer = fetch(path, { headers });
    answers.set(path, answer);
    // Whoever takes it handles the error.
    answer.catch(() => {});
    return answer;
  };
  const preload = (...screens) => {
    for (const file of new Set(screens.flatMap((screen) => CHUNKS[screen]))) {
      const link = document.createElement('link');
      // The page's own scripts run before these.
      Object.assign(link, { rel: 'preload', as: 'script', fetchPriority: 'low', href: `/_next/${file}` });
      document.head.append(link);
    }
  };

  /** The document that the proposer cited last, in the two newest versions: what changed is shown. */
  const askForPlan = ({ motion, arguments: others }) => {
    const citations = [motion, ...others]
      .filter(({ role }) => role === 'proposer')
      .flatMap((argument) => argument.citations ?? []);
    const plan = citations.at(-1)?.document_id;
    if (plan === undefined) return;
    ask(`/documents/${plan}/versions?limit=50&offset=0`);
    const cited = citations.filter(({ document_id }) => document_id === plan).map(({ version }) => version);
    const versions = [...new Set(cited)].sort((a, b) => b - a).slice(0, 2);
    for (const version of versions) ask(`/documents/${plan}?version=${version}`);
  };

  if (id !== undefined) {
    const debate = ask(`/debates/${id}?limit=30`);
    if (search.has('record')) {
      ask(`/debates/${id}/record`);
      preload('debate', 'record');
    } else if (search.has('plan')) {
      ask(`/debates/${id}/issues?history=true`);
      // On a wide screen the debate is beside the plan.
      if (matchMedia('(min-width: 80rem)').matches) preload('debate', 'thread', 'plan');
      else preload('debate', 'plan');
      debate
        .then((answer) => answer.clone().json())
        .then(({ data }) => askForPlan(data))
        .catch(() => {});
    } else preload('debate', 'thread');
  } else if (location.pathname === '/' && !search.has('list')) {
    preload('inbox');
    ask('/wait?role=arbitrator&timeout=0')
      .then((answer) => answer.clone().json())
      .then(({ data }) => {
        for (const debate of data.debates.slice(0, 3)) ask(`/debates/${debate.id}?limit=2`);
      })
      .catch(() => {});
  }
})(__CHUNKS__);
