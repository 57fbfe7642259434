// The parts of the server's responses that the page relies on. The docstring of studio/app.py explains all of them.

/** The mark that represents a thing. */
export interface Mark {
  id?: string; sign?: string; colour?: string; owner?: number; says?: string; text?: string; tag?: string; badge?: Mark; art?: string;
  icon?: string; card?: { rank?: Mark; suit?: Mark }; hidden?: number; piece?: boolean; named?: boolean; entry?: string; number?: number; picture?: Mark[][]; tile?: { sides: { order: number; look: string; colour: string; says: string }[]; ground: string; node?: boolean }; cells?: string[];
}

/** An option: `at` lists the places of the scene that it names, in order. */
export interface Option { index: number; label: string; words: string; anytime: boolean; at: string[]; also?: Record<string, string> }

export interface Decision { player: number; prompt: string; simultaneous: boolean; mine: boolean; answered?: boolean; rule?: string; several?: boolean; chosen?: string[]; later?: Option[]; options: Option[] }

export interface Panel { id: string; title: string; shows: string; main?: boolean; asked?: boolean; form?: string; box?: string; [key: string]: any }

export interface Scene { panels: Panel[]; players: Mark[]; signs: { sign: string; colour?: string; means: string }[]; seat?: number; nouns?: { icon: string; colour: string; words: string[] }[]; taken?: Record<string, Taken[]> }

/** A trick that was taken from the table; `taker` is a seat, or -1. */
export interface Taken { title: string; taker: number; at: number; groups: { title: string; owner?: number; items: any[] }[] }

export interface Line { level: number; kind: string; seat: number; words: string; at: number }

/** The time of each seat; `at` is when the page got it. */
export interface Clock { seconds: number; increment: number; left: number[]; running: number[]; at?: number }

/** A table as one seat or spectator sees it. */
export interface State {
  table: string; revision: number; stirred?: number; seat: number | null; host: boolean; all: boolean; shared: boolean;
  names: string[]; bots: string[]; taken: boolean[]; links: number[]; saved: boolean; away?: { seat: number; why: string } | null; open: boolean; over: boolean; moves: number; of: number;
  pack: { id: string; title: string; modules: string[]; text: string; points: string[] }; decision: Decision | null; scene: Scene; telling: Line[];
  told: number; scores: (number | null)[]; undo: { may: boolean; why: string; wish: any } | null; clock?: Clock | null; [key: string]: any;
}

/** A request. Without a body, it is a GET. */
export interface Wanted { token?: string; body?: unknown; method?: string; asText?: boolean }

/** The data that a page needs for offline play. */
export interface Package {
  module: string; floor: number; streams: Record<string, number>; memory: Record<string, number>; whole: number;
  title: string; players: number; names: Record<string, string[]>; called: Record<string, string[]>; ids: Record<string, string[][]>;
  questions: Record<string, Question>; scene: Scene; left_out: string[];
  looks: { pool: any[]; groups: { slots: number[]; paths: (string | number)[][]; looks: Record<string, any[]> }[] };
  measures: { score: boolean; ties: number; among: boolean; wins: boolean }; worth: boolean;
}

export interface Question { kind: string; prompt: string; types: string[]; labels: [string | null, string[]][]; decline: string | null; words: ((string | number)[] | null)[] }
