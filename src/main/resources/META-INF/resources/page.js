// The page: keeps one stream open, and draws a section when it has changed.
import { draw, drawTotals } from './draw.js';

const STALE_AFTER = 10_000; // milliseconds without any event
const sections = ['about', 'queues', 'nodeclasses', 'waiting', 'active'];
const state = {};
let heard = Date.now();
let opened = false;

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
  byId('main').toggleAttribute('data-stale', kind === 'lost');
}

const stream = new EventSource('api/v1/stream');
for (const section of sections) {
  stream.addEventListener(section, event => {
    heard = Date.now();
    opened = true;
    state[section] = JSON.parse(event.data);
    say('live', 'Live', '');
    byId('main').setAttribute('aria-busy', 'false');
    draw(section, state);
    drawTotals(state);
  });
}
stream.onerror = () => lost();

function lost() {
  say('lost', opened ? 'Connection lost' : 'No connection', opened
    ? `What you see is from ${new Date(heard).toLocaleTimeString()}. Muster does not answer; trying again.`
    : 'Muster does not answer. Maybe it is still starting; trying again.');
}

setInterval(() => { if (Date.now() - heard > STALE_AFTER) lost(); }, 2000);
byId('filter').addEventListener('change', () => { draw('waiting', state); draw('active', state); });
