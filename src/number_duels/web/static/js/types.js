/**
 * Types of the server's data that the pages use, and of data that modules exchange. Nothing here
 * runs. This is not a module, so its types are known everywhere.
 *
 * @typedef {1 | 2} Seat
 * @typedef {{kind: "meter", label: string, owner: Seat | null, value: number, full: number | null, most?: number | null}} Meter
 * @typedef {{kind: "numbers", label: string, owner: Seat | null, numbers: number[], left: number[]}} Numbers
 * @typedef {{kind: "grid", label: string, owner: Seat | null, rows: (number | null)[][]}} Grid
 * @typedef {{kind: "cards", label: string, owner: Seat | null, cards: string[]}} Cards
 * @typedef {{kind: "fact", label: string, owner: Seat | null, text: string}} Fact
 * @typedef {Meter | Numbers | Grid | Cards | Fact} Part
 *
 * @typedef {{part: number, place: number | null}} Place
 * @typedef {{prompt: string, text: string, secret: boolean, answers: Answer[], forced: string}} Question
 * @typedef {{text: string, label: string, at: Place[], note: string, move?: string, next?: Question}} Answer
 * @typedef {{turn: number, when?: string, moves: Partial<Record<Seat, string>>, drawn: string | null, won?: Seat | null}} Last
 *
 * @typedef {{name: string, who: string, seated: boolean, present: boolean, you: boolean, strength: string | null}} Player
 * @typedef {"said" | "heading" | "rule" | "board"} Kind
 * @typedef {{turn: number, lines: string[], kinds: Kind[], short: string}} Entry
 * @typedef {{name: string, doing: string, note: string, away: boolean}} Side
 *
 * @typedef {object} View
 * @property {string} id
 * @property {number} version
 * @property {string} game
 * @property {string} title
 * @property {Record<string, number | string>} settings
 * @property {[Player, Player]} players
 * @property {number} turn
 * @property {Seat[]} to_move
 * @property {Seat[]} chosen
 * @property {Seat | null} you
 * @property {boolean} here true if both players share this device
 * @property {Question | null} question
 * @property {string | null} choice
 * @property {Last | null} last
 * @property {boolean} draw
 * @property {Part[]} board
 * @property {Entry[]} log
 * @property {string} moves
 * @property {string} result
 * @property {boolean} over
 * @property {boolean} hints
 * @property {string | null} rematch
 * @property {{after_s: number} | null} claim
 * @property {Scene} scene
 *
 * The parts of a view that a table draws.
 * @typedef {Pick<View, "scene" | "board" | "you" | "to_move" | "question" | "chosen" | "choice" | "log" | "last"> & Partial<Pick<View, "over">>} Shown
 *
 * @typedef {{default: number | string, meaning: string, low: number, high: number | string, choices: (number | string)[], label?: string, words?: string[]}} Setting
 * @typedef {{name: string, title: string, summary: string, settings: Record<string, Setting>, rules: string, sections: Section[], turns: boolean, mixes: boolean, opponents: Record<string, string>, solved: Record<string, number>[], default_solved: boolean, preview: Part[][]}} GameInfo
 * @typedef {string | {name: string, value: string}} Words
 * @typedef {{kind: "paragraph" | "bullets" | "numbered", items: Words[][]}} Block
 * @typedef {{title: string, blocks: Block[], for_keyboard: boolean}} Section
 * @typedef {{who: string, name: string, note: string, solves: boolean}} Opponent
 * @typedef {{title: string, note: string, path: string}} PageInfo
 * @typedef {{games: GameInfo[], opponents: Opponent[], pages: PageInfo[]}} Catalogue
 *
 * @typedef {object} GameLine
 * @property {string} id
 * @property {string} title
 * @property {Seat} seat
 * @property {string} opponent
 * @property {boolean} your_turn
 * @property {string} updated
 * @property {Part[] | null} board
 * @property {boolean} seated
 * @property {boolean} kept
 * @property {string} against
 * @property {string} status
 *
 * @typedef {{name: string, created: string | null, running: GameLine[], finished: GameLine[]}} Me
 *
 * @typedef {{finished: string, game: string, opponent: string, name: string, result: "won" | "drawn" | "lost", cost: string | null, id: string | null, against: string}} OwnResult
 * @typedef {{games: number, by_game: Record<string, {title: string}>, over_time: OwnResult[], waiting: number, scene: Scene}} Statistics
 *
 * @typedef {{text: string[], advice: string[], scene: Scene, steps: Scene[]}} Hint
 *
 * @typedef {{cards: number, due: number, next: string | null, answers: number, right: number, streak: number, daily: boolean[], lessons: Record<string, string>, notes: {today: string, daily: string, lesson: string, drills: string, puzzles: string}, start: {kind: string, label: string, note: string}}} Book
 * @typedef {{card: string, title: string, position: string, facts: string[], spot: {game: string, seat: Seat} | null, board: Part[]}} ListedCard
 * @typedef {{cards: ListedCard[], count: number, note: string}} CardList
 * @typedef {{kind: string, game: string, settings: Record<string, number | string>, seed: number, day: string, phase?: string, level?: string, form?: string, grade?: number | null, spot?: object, count?: number}} Plan
 * @typedef {{words: string, cells: string[], share: number, good: boolean | null, range: [number, number] | null, mark: number | null, key: string, seat: Seat | null, here: boolean, short: string, said: string, same: boolean}} Row
 * @typedef {{kind: string, title: string, head: string, columns: string[], rows: Row[], sentences: string[]}} Table
 * @typedef {{part: number, place: number | null, seat: Seat | null, note: string}} Change
 * @typedef {{turn: number, when: string, won: Seat | null, said: string, lines: string[], kinds: Kind[], board: Part[], changed: Change[], moves: Record<string, string>, words: Record<string, string>, short: Record<string, string>, drawn: string, at: string}} Frame
 * @typedef {{right: boolean, headline: string, sentences: string[]}} Verdict
 * @typedef {{key: string, turn: number, seat: Seat, words: string, title: string, verdict: Verdict, right: string, better: {part: number, place: number | null}[], cost: string, loss: number, kind: "mistake" | "inaccuracy" | "rare" | "right", often: string, blunder: boolean, forced: boolean, before: Frame, frames: Frame[], line: string, actions: Action[]}} Finding
 * @typedef {{key: string, label: string}} Action
 * @typedef {{name: string, points: [number, number][]}} Curve
 * @typedef {{turn: number, height: number, seat: Seat, words: string, own: boolean, change: string}} Mark
 * @typedef {{curves: Curve[], marks: Mark[], axis: [number, string][], title: string, said: string, seat: Seat | null, legend: string[], unit: string, note: string}} Chart
 *
 * @typedef {object} Scene
 * @property {"working" | "said" | "asked" | "told" | "over"} stage
 * @property {string} title
 * @property {string[]} status
 * @property {[number, number] | null} progress
 * @property {string} headline
 * @property {string} detail
 * @property {string} rules
 * @property {string} summary
 * @property {string[]} lines
 * @property {Kind[]} kinds
 * @property {Side[]} sides
 * @property {Part[]} board
 * @property {Change[]} changed
 * @property {string | null} drawn
 * @property {Seat | null} you
 * @property {Seat[]} to_move
 * @property {string} path
 * @property {string} at
 * @property {string} prompt
 * @property {Question | null} question
 * @property {boolean} mixed
 * @property {string} against
 * @property {string} answer
 * @property {Verdict | null} verdict
 * @property {Table[]} tables
 * @property {Frame[]} frames
 * @property {Frame[]} met
 * @property {Finding[]} findings
 * @property {{title: string, keys: string[], folded: boolean}[]} groups
 * @property {Chart | null} chart
 * @property {string[]} notes
 * @property {string} remark
 * @property {{waiting: string, ready: string, label: string} | null} claim
 * @property {string} share
 * @property {string} share_path
 * @property {Action[]} actions
 * @property {boolean} over
 *
 * @typedef {{moves: string, scene: Scene, spot: object | null}} Analysis
 *
 * Content of an element.
 * @typedef {Node | string | number | false | null | undefined | Child[]} Child
 *
 * A tile on the board that can be touched.
 * @typedef {{label: string, name: string, note: string, take: (event: Event) => void, chosen?: boolean, target?: boolean, best?: boolean, often?: string}} Offer
 */
