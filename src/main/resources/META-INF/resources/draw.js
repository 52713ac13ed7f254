// Draws each section from its state. Text goes in as text, never as HTML: names come from users.

const byId = id => document.getElementById(id);
const number = new Intl.NumberFormat('en');

function el(tag, attributes = {}, ...children) {
  const made = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (value !== undefined && value !== false) made.setAttribute(name, value === true ? '' : value);
  }
  made.append(...children.filter(child => child !== '' && child !== null && child !== undefined));
  return made;
}

/** Replaces the children, keeping those whose key and look are as before, so that focus and scrolling stay. */
function fill(parent, items, key, make) {
  const old = new Map([...parent.children].map(child => [child.dataset.key, child]));
  const next = items.map(item => {
    const look = JSON.stringify(item);
    const before = old.get(key(item));
    if (before && before.dataset.look === look) return before;
    const made = make(item, before);
    made.dataset.key = key(item);
    made.dataset.look = look;
    return made;
  });
  if (next.length !== parent.children.length || next.some((child, i) => child !== parent.children[i])) {
    parent.replaceChildren(...next);
  }
}

/** A resource is a GPU when the quota's node class names it as its own; a network card keeps its name. */
const unitOf = (quota, classes = []) => classes.some(c => c.name === quota.nodeClass && c.resource === quota.resource) ? 'GPUs'
  : quota.resource === 'memory' ? 'memory (GiB)' : quota.resource;
const units = (resource, amount) => resource === 'cpu' ? amount / 1000
  : resource === 'memory' ? Math.round(amount / 2 ** 30) : amount;
const plural = (n, one, many = one + 's') => `${number.format(n)} ${n === 1 ? one : many}`;

/** Updates an element in place where there is one, so that bars move, and focus and readers are not disturbed. */
function quota(q, before) {
  const [nominal, used, waiting] = [q.nominal, q.used, q.waiting].map(a => units(q.resource, a));
  const whole = Math.max(nominal, used, 1);
  const part = amount => `${Math.min(100, 100 * amount / whole)}%`;
  const borrowed = used > nominal ? `, ${number.format(used - nominal)} of them borrowed` : '';
  const label = `${q.nodeClass}: ${number.format(used)} of ${number.format(nominal)} ${q.unit} used${borrowed}, ${number.format(waiting)} waited for`;
  const made = before ?? el('div', { class: 'quota' },
    el('div', { class: 'quota-line' },
      el('span', { class: 'name' }, q.nodeClass, ' ', el('small')),
      el('span', { class: 'figures' }, el('span'), el('small'))),
    el('div', { class: 'bar', role: 'meter', 'aria-valuemin': 0 }, el('span', { class: 'wanted' }), el('span', { class: 'borrowed' }), el('span', { class: 'used' })));
  const [line, bar] = made.children;
  line.querySelector('.name small').textContent = q.unit;
  const [figures, more] = line.lastElementChild.children;
  figures.textContent = `${number.format(used)} / ${number.format(nominal)}`;
  more.textContent = waiting > 0 ? `  +${number.format(waiting)} waiting` : '';
  for (const [name, value] of Object.entries({ 'aria-label': `${q.nodeClass} ${q.unit}`, 'aria-valuemax': whole, 'aria-valuenow': used, 'aria-valuetext': label })) {
    bar.setAttribute(name, value);
  }
  bar.children[0].style.width = part(used + waiting);
  bar.children[1].style.width = part(used);
  bar.children[2].style.width = part(Math.min(used, nominal));
  return made;
}

function queueCard(queue, before) {
  const card = before ?? el('article', { class: 'card' },
    el('div', { class: 'card-head' }, el('h3', {}, queue.name), el('p'), el('p', { class: 'figures' })),
    el('p', { class: 'problem' }), el('div'), el('p', { class: 'empty' }, 'No quota of its own.'));
  const [head, problem, quotas, none] = card.children;
  head.children[1].textContent = `${queue.owner}${queue.parent ? ' · under ' + queue.parent : ''}`;
  head.children[2].textContent = `${number.format(queue.running + queue.admitted)} active · ${number.format(queue.waiting)} waiting`;
  problem.textContent = queue.problem;
  problem.hidden = !queue.problem;
  none.hidden = queue.quotas.length > 0;
  fill(quotas, queue.quotas, q => `${q.nodeClass} ${q.resource}`, quota);
  return card;
}

function node(n, before) {
  const used = n.gpus - n.freeGpus;
  const cells = Math.min(n.gpus, 64);
  const label = `${n.name}: ${used} of ${plural(n.gpus, 'GPU')} used${n.ready ? '' : ', not ready'}`;
  const made = before ?? el('li', { role: 'listitem' }, el('span', { class: 'for-ears' }), el('b', { 'aria-hidden': 'true', dir: 'rtl' }, el('bdi', { dir: 'ltr' }, n.name)),
    el('small', { 'aria-hidden': 'true' }, 'not ready'), el('div', { class: 'cells', 'aria-hidden': 'true' }));
  made.className = n.ready ? 'node' : 'node down';
  made.children[0].textContent = label;
  made.children[2].hidden = n.ready;
  made.title = label;
  const row = made.lastElementChild;
  while (row.children.length < cells) row.append(el('i'));
  while (row.children.length > cells) row.lastElementChild.remove();
  [...row.children].forEach((cell, i) => { cell.className = i < used ? 'on' : ''; });
  return made;
}

/** GPUs that gangs hold; idle ones of a node that is not ready are neither used nor free. */
const usedGpus = c => c.fleet.reduce((sum, n) => sum + n.gpus - n.freeGpus, 0);

function classCard(c, before) {
  const card = before ?? el('article', { class: 'card' },
    el('div', { class: 'card-head' }, el('h3', {}, c.name), el('p'), el('p', { class: 'figures' })), el('div'), el('ul', { class: 'nodes', role: 'list' }));
  const [head, problems, nodes] = card.children;
  card.style.flexGrow = Math.max(1, Math.min(4, Math.ceil(c.nodes / 8)));
  head.children[1].textContent = `${c.readyNodes} of ${plural(c.nodes, 'node')} ready`;
  const used = usedGpus(c);
  const out = c.gpus - used - c.freeGpus;
  head.children[2].textContent = `${number.format(used)} used · ${number.format(c.freeGpus)} free`
    + `${out > 0 ? ` · ${number.format(out)} not usable` : ''} of ${plural(c.gpus, 'GPU')}`;
  problems.replaceChildren(...c.problems.slice(0, 5).map(p => el('p', { class: 'problem' }, p)));
  fill(nodes, c.fleet, n => n.name, node);
  return card;
}

function tags(job) {
  return [job.interruptible ? el('span', { class: 'tag' }, 'interruptible') : '',
    job.priority ? el('span', { class: 'tag' }, `priority ${job.priority}`) : ''];
}

function size(job) {
  return job.gpus ? plural(job.gpus, 'GPU') + (job.members > 1 ? ` · ${job.members} pods` : '') : plural(job.members, 'pod');
}

function promised(reservation) {
  if (!reservation) return '';
  const nodes = reservation.nodes.length ? ` on ${plural(reservation.nodes.length, 'node')}` : '';
  const by = reservation.startsBy ? `by ${reservation.startsBy.slice(0, 16).replace('T', ' ')} UTC` : 'at a time that is not known yet';
  return ` Reserved${nodes}: it starts ${by}.`;
}

function waitingRow(job) {
  return el('li', { class: 'row' },
    el('span', { class: 'place', title: `place ${job.line} in ${job.queue}` }, `#${job.line}`),
    el('span', { class: 'title' }, job.name, ' ', el('small', {}, job.queue), ...tags(job)),
    el('span', { class: 'size' }, size(job)),
    el('p', { class: 'why' }, el('b', {}, job.reason ?? ''), ' ', job.sentence, job.help ? ' ' + job.help : '', promised(job.reservation)));
}

function activeRow(job) {
  const since = job.place ? new Date(job.place.admittedAt).toISOString().slice(11, 16) : '';
  return el('li', { class: 'row' },
    el('span', { class: 'place', title: 'admitted at, UTC' }, since),
    el('span', { class: 'title' }, job.name, ' ', el('small', {}, job.queue), ...tags(job)),
    el('span', { class: 'size' }, size(job)),
    el('p', { class: 'why' }, el('span', { class: `state ${job.state}` }, job.state), ' ', job.sentence));
}

function gangs(id, jobs, row, none) {
  const queue = byId('filter').value;
  const shown = jobs.filter(job => !queue || job.queue === queue);
  if (!shown.length) {
    byId(id).replaceChildren(el('li', { class: 'row empty' }, el('span', {}, none)));
    return;
  }
  fill(byId(id), shown, job => job.uid, row);
}

function filterOptions(queues) {
  const select = byId('filter');
  const names = ['', ...queues.filter(q => q.quotas.length || q.waiting).map(q => q.name)];
  if ([...select.options].map(o => o.value).join() === names.join()) return;
  const chosen = select.value;
  select.replaceChildren(...names.map(name => el('option', { value: name, selected: name === chosen }, name || 'all')));
}

const drawers = {
  about({ about }) {
    const now = new Date(about.now);
    const local = about.mode === 'local';
    byId('hint').hidden = !local;
    byId('address').textContent = location.host;
    byId('clock').textContent = local
      ? `local mode · ${now.toISOString().slice(0, 16).replace('T', ' ')} UTC · ${number.format(about.speed)}× speed`
      : `${now.toISOString().slice(0, 16).replace('T', ' ')} UTC`;
  },
  queues({ queues = [], nodeclasses }) {
    filterOptions(queues);
    const shown = queues.filter(q => q.quotas.length || q.waiting || q.running || q.admitted || q.problem)
      .map(q => ({ ...q, quotas: q.quotas.map(quota => ({ ...quota, unit: unitOf(quota, nodeclasses) })) }));
    if (!shown.length) {
      byId('queues').replaceChildren(el('p', { class: 'card empty' }, 'No queue yet. Apply a TeamQueue, and it shows here at once.'));
      return;
    }
    fill(byId('queues'), shown, q => q.name, queueCard);
  },
  nodeclasses(state) {
    const { nodeclasses } = state;
    if (state.queues) drawers.queues(state); // which resources are GPUs is known by the classes
    if (!nodeclasses.length) {
      byId('classes').replaceChildren(el('p', { class: 'card empty' }, 'No node class yet. Apply a GpuNodeClass whose selector fits your GPU nodes.'));
      return;
    }
    fill(byId('classes'), nodeclasses, c => c.name, classCard);
  },
  waiting({ waiting }) {
    gangs('waiting', waiting, waitingRow, 'Nobody waits.');
  },
  active({ active }) {
    gangs('active', active, activeRow, 'Nothing runs.');
  },
};

export function draw(section, state) {
  if (state[section]) drawers[section](state);
}

export function drawTotals({ queues, nodeclasses, waiting, active }) {
  if (!queues || !nodeclasses || !waiting || !active) return;
  const sum = (list, of) => list.reduce((total, item) => total + of(item), 0);
  const count = (shown, all, first) => all > shown ? `${first} ${shown} of ${number.format(all)}` : `${shown}`;
  byId('waiting-count').textContent = count(waiting.length, sum(queues, q => q.waiting), 'first');
  byId('active-count').textContent = count(active.length, sum(queues, q => q.running + q.admitted), 'newest');
  const gpus = sum(nodeclasses, c => c.gpus);
  byId('totals').hidden = false;
  byId('total-gpus').replaceChildren(number.format(sum(nodeclasses, usedGpus)), el('small', {}, ` of ${number.format(gpus)}`));
  byId('total-running').textContent = number.format(sum(queues, q => q.running + q.admitted));
  byId('total-waiting').textContent = number.format(sum(queues, q => q.waiting));
}
