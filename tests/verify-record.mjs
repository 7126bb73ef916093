// Verifies a record on standard input with Node's Ed25519, over JSON that `canonicalize` from npm has made canonical (RFC 8785).
// Then changes each byte of it, one at a time. Prints how many changed copies were refused; exits with 1 if the record does not
// hold, or if a copy does.
import { createPublicKey, verify } from 'node:crypto';
import { readFileSync } from 'node:fs';
import canonicalize from 'canonicalize';

// The beginning of every Ed25519 public key in DER.
const PREFIX = Buffer.from('302a300506032b6570032100', 'hex');

/** How many of the changed records are verified; of all others the signed text has to differ. */
const VERIFIED = 500;

const decode = (base64, length) => {
  const bytes = Buffer.from(base64, 'base64');
  // Node ignores what is no base64.
  return bytes.length === length && bytes.toString('base64') === base64 ? bytes : null;
};

const publicKey = (base64) => {
  const key = decode(base64, 32);
  return key && createPublicKey({ key: Buffer.concat([PREFIX, key]), format: 'der', type: 'spki' });
};

const fail = (reason) => {
  console.error(reason);
  process.exit(1);
};

const signed = JSON.parse(readFileSync(0, 'utf8'));
const { record, signature } = signed;
const message = canonicalize(record);
const key = publicKey(signature.public_key);
const bytes = decode(signature.signature, 64);
if (!verify(null, Buffer.from(message), key, bytes)) fail('the signature does not hold');

const text = Buffer.from(JSON.stringify(record));
const step = Math.max(1, Math.floor(text.length / VERIFIED));
let refused = 0;
for (let at = 0; at < text.length; at += 1) {
  const changed = Buffer.from(text);
  // Another digit, letter or sign, so that most copies are JSON and have the same fields.
  changed[at] ^= [1, 2, 4, 16, 32][at % 5];
  let other;
  try {
    other = canonicalize(JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(changed, 64)));
  } catch {
    refused += 1;
    continue;
  }
  const holds = other === message || (at % step === 0 && verify(null, Buffer.from(other), key, bytes));
  if (holds) fail(`the record holds after a change at ${at}: ${changed.subarray(Math.max(0, at - 20), at + 20)}`);
  refused += 1;
}
for (const field of ['public_key', 'signature']) {
  const given = signature[field];
  for (let at = 0; at < given.length; at += 1) {
    const changed = given.slice(0, at) + (given[at] === 'A' ? 'B' : 'A') + given.slice(at + 1);
    let holds = false;
    try {
      const otherKey = field === 'public_key' ? publicKey(changed) : key;
      const otherBytes = field === 'signature' ? decode(changed, 64) : bytes;
      holds = otherKey !== null && otherBytes !== null && verify(null, Buffer.from(message), otherKey, otherBytes);
    } catch {
      // It is no point of the curve.
    }
    if (holds) fail(`the record holds with a changed ${field}: ${changed}`);
    refused += 1;
  }
}
console.log(`${refused} changed copies refused`);
