// What the page takes from preact and htm.
export function html(strings: TemplateStringsArray, ...values: unknown[]): any;
export function render(what: any, into: Element): void;
export function useState<T>(initial: T | (() => T)): [T, (value: T | ((before: T) => T)) => void];
export function useRef<T>(initial: T): { current: T };
export function useEffect(work: () => void | (() => void), on?: unknown[]): void;
export function useLayoutEffect(work: () => void | (() => void), on?: unknown[]): void;
export function useMemo<T>(work: () => T, on: unknown[]): T;
