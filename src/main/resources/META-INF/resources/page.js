// The page: keeps one stream open, opens it anew when it is silent, and draws a section when it has changed.
import { draw, drawTotals } from './draw.js';
import { listen, Refused } from './stream.js';

const STALE_AFTER = 10_000; // milliseconds without any event; a live stream brings the clock twice a second
const AGAIN_AFTER = 2_000; // milliseconds between two attempts
const sections = ['about', 'nodeclasses', 'queues', 'waiting', 'active'];
const state = {};
let heard = 0; // 0: nothing yet
let tried = 0;
let stream; // the controller that gives up the present one
let open = false;
let token = '';
let asking = false;

const byId = id => document.getElementById(id);

function say(kind, text, notice) {
  const link = byId('link');
  if (link.dataset.state !== kind || byId('link-text').textContent !== text) {
    link.dataset.state = kind;
    byId('link-text').textContent = text;
  }
  const box = byId('notice');
  box.hidden = !notice;
  if (notice && box.textContent !== notice) box.textContent = notice;
  box.classList.toggle('bad', kind === 'lost');
  byId('main').toggleAttribute('data-stale', kind === 'lost' && heard > 0);
}

/** Opens the stream. One that is silent is given up by `check`; one that ends in order is opened again at once. */
async function connect() {
  stream?.abort();
  const mine = stream = new AbortController();
  open = true;
  tried = Date.now();
  try {
    await listen('api/v1/stream', token, mine.signal, show);
    if (stream === mine && Date.now() - tried > AGAIN_AFTER) return connect();
  } catch (broken) {
    if (stream !== mine) return; // given up for a newer one
    if (broken instanceof Refused && (broken.status === 401 || broken.status === 403)) ask(broken.message);
    else lost();
  }
  if (stream === mine) open = false;
}

function show(section, data) {
  if (!sections.includes(section)) return;
  heard = Date.now();
  state[section] = JSON.parse(data);
  say('live', 'Live', '');
  byId('sign-in').hidden = true;
  byId('main').setAttribute('aria-busy', 'false');
  draw(section, state);
  drawTotals(state);
}

/** Asks for a token. It is kept in this page alone, and gone when the page is. */
function ask(why) {
  token = '';
  asking = true;
  say('lost', 'Not signed in', why || 'Muster does not know you.');
  byId('sign-in').hidden = false;
  byId('token').focus();
}

function lost() {
  say('lost', heard ? 'Connection lost' : 'No connection', heard
    ? `What you see is from ${new Date(heard).toLocaleTimeString()}. Muster does not answer; trying again.`
    : 'Muster does not answer. Maybe it is still starting; trying again.');
}

function check() {
  const now = Date.now();
  if (asking) return;
  const silent = now - Math.max(heard, tried) > STALE_AFTER;
  if (silent) lost();
  if (silent || !open && now - tried > AGAIN_AFTER) connect();
}

byId('sign-in').addEventListener('submit', event => {
  event.preventDefault();
  token = byId('token').value.trim();
  byId('token').value = '';
  if (!token) return;
  asking = false;
  say('loading', 'Connecting…', '');
  connect();
});

connect();
setInterval(check, 1000);
byId('filter').addEventListener('change', () => { draw('waiting', state); draw('active', state); });
