// Preact and htm, bound once: every module takes them from here.
import { h, render, Fragment } from 'preact';
import { useEffect, useLayoutEffect, useMemo, useRef, useState } from 'preact/hooks';
import htm from 'htm';

export const html = htm.bind(h);
export { render, Fragment, useEffect, useLayoutEffect, useMemo, useRef, useState };

let ids = 0;

/** An id that is unique in the page, for labels. */
export function useId(prefix) {
  return useMemo(() => `${prefix}-${++ids}`, [prefix]);
}
