// Text that others wrote, such as names, and keys that this page makes.

/**
 * Control characters (C0, C1), line and paragraph separators, invisible ones, and those that turn the direction of
 * writing (UAX 9): they would change how the text around them reads.
 */
const UNSEEN = /[\u0000-\u001f\u007f-\u009f\u00ad\u061c\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\ufeff]/g;

/** The same text with such characters written as \uXXXX. */
export const visible = (text) =>
  text.replace(UNSEEN, (one) => `\\u${one.charCodeAt(0).toString(16).padStart(4, '0')}`);

/** Reads JSON whose strings are shown to people: none of them can disturb the page's text. */
export const readJson = (json) =>
  JSON.parse(json, (_, value) => (typeof value === 'string' ? visible(value) : value));

/**
 * A random key of 128 bits as hexadecimal digits. Not crypto.randomUUID: browsers offer it to secure contexts only,
 * and plain HTTP from another machine is none.
 */
export const randomKey = () =>
  [...crypto.getRandomValues(new Uint8Array(16))].map((one) => one.toString(16).padStart(2, '0')).join('');
