// Verifies a record on standard input with nothing but Node: canonical JSON (RFC 8785) and Ed25519.
// Prints how many of some thousand changed copies it refused; exits with 1 if the record does not hold or a copy does.
import { createPublicKey, verify } from 'node:crypto';
import { readFileSync } from 'node:fs';

// JSON.stringify writes texts and numbers as RFC 8785 wants them, and sort() compares UTF-16 code units.
const canonical = (value) => {
  if (Array.isArray(value)) return `[${value.map(canonical).join(',')}]`;
  if (value === null || typeof value !== 'object') return JSON.stringify(value);
  const fields = Object.keys(value).sort();
  return `{${fields.map((name) => `${JSON.stringify(name)}:${canonical(value[name])}`).join(',')}}`;
};

// The beginning of every Ed25519 public key in DER.
const PREFIX = Buffer.from('302a300506032b6570032100', 'hex');

const holds = ({ record, signature }) => {
  const key = Buffer.from(signature.public_key, 'base64');
  const der = Buffer.concat([PREFIX, key]);
  const publicKey = createPublicKey({ key: der, format: 'der', type: 'spki' });
  const message = Buffer.from(canonical(record));
  return verify(null, message, publicKey, Buffer.from(signature.signature, 'base64'));
};

const signed = JSON.parse(readFileSync(0, 'utf8'));
if (!holds(signed)) {
  console.error('the signature does not hold');
  process.exit(1);
}

const text = JSON.stringify(signed.record);
let refused = 0;
const step = Math.max(1, Math.floor(text.length / 2000));
for (let at = 0; at < text.length; at += step) {
  const other = text[at] === '1' ? '2' : '1';
  const changed = text.slice(0, at) + other + text.slice(at + 1);
  let record;
  try {
    record = JSON.parse(changed);
  } catch {
    refused += 1;
    continue;
  }
  if (holds({ ...signed, record })) {
    console.error(`the signature holds after a change at ${at}: ${changed.slice(at - 20, at + 20)}`);
    process.exit(1);
  }
  refused += 1;
}
console.log(`${refused} changed copies refused`);
