// The types of what the server sends, for `tsc`; nothing runs here.

/**
 * A word of a text; `start` and `end` are in code points.
 * @typedef {{text: string, start: number, end: number, is_known?: boolean}} Word
 */

/**
 * A model, as /v1/models describes it.
 * @typedef {object} Model
 * @property {string} id
 * @property {string} task
 * @property {string} input
 * @property {string[]} labels
 * @property {boolean} many whether a text may have several labels
 * @property {string[]} does what it can be asked for
 * @property {number} max_tokens
 * @property {number} n_hops
 * @property {number} n_layers
 * @property {number} n_heads
 * @property {string} encoder
 * @property {number} vector_width
 * @property {boolean} is_english whether it knows common English words
 * @property {{level: string, words: string}} verdict
 */

/** @typedef {{id: string, rows: number, columns: Record<string, string>, model: string, has_words: boolean}} Index */

/**
 * One text of /explain.
 * @typedef {object} Explanation
 * @property {string} text
 * @property {string} label
 * @property {Record<string, number>} [probabilities]
 * @property {number} [value] where the answer is a number
 * @property {string} target
 * @property {Record<string, number[]>|null} contributions of each word, by label; null if the head is not linear
 * @property {(Word & {weight: number, leave_one_out?: number|null})[]} words
 * @property {number[][]} hops
 * @property {number[]|null} hop_effects
 * @property {number} read_to
 * @property {string|null} warning
 * @property {string[]} notes
 * @property {string} verdict
 * @property {string} verdict_level
 * @property {ExplanationView} view
 */

/**
 * @typedef {object} ExplanationView
 * @property {Record<string, LabelView>|null} contributions by label, of the most probable ones and the target
 * @property {number[]} weights shades, as all of these
 * @property {number[]|null} leave_one_out
 * @property {string} aside a remark on leave-one-out
 * @property {number[][]} hops
 * @property {string} weights_account what the weights are
 * @property {string} hops_account how to read what a hop adds
 * @property {string} unread
 */

/**
 * What is drawn of the contributions to one label.
 * @typedef {object} LabelView
 * @property {string} name
 * @property {string} about
 * @property {[string, string]} ends of the scale of colours
 * @property {number[]} shades
 * @property {string} aside
 * @property {string} total the sum in one line
 * @property {number[]|null} hops what each hop adds
 * @property {Waterfall} waterfall
 */

/** @typedef {{about: string, bars: WaterfallBar[], zero: number|null, result: string, account: string}} Waterfall */

/**
 * A part of the sum, or the sum; `left`, `width` and `zero` are in percent of the scale.
 * @typedef {object} WaterfallBar
 * @property {"bias"|"word"|"others"|"total"} kind
 * @property {string} name
 * @property {number} times occurrences of the word
 * @property {string} number
 * @property {""|"for"|"against"} sign
 * @property {number} left
 * @property {number} width
 * @property {number[]} words their positions
 */

/** @typedef {{words: [string, string], part: number, times: number}} Pair */

/**
 * The strongest words of two texts; the last row and column of `parts` are those of all other words.
 * @typedef {object} Grid
 * @property {[number[], number[]]} words
 * @property {[number, number]} others
 * @property {number[][]} parts
 * @property {number[][]} shades
 * @property {[number[], number[]]} sums
 */

/** @typedef {Word & {adds: number}} AddingWord */

/**
 * /similarity of two texts.
 * @typedef {object} Similarity
 * @property {number} similarity
 * @property {{text: string, words: AddingWord[]}[]} texts
 * @property {number[][]} matrix
 * @property {SimilarityView} view
 */

/**
 * @typedef {object} SimilarityView
 * @property {string} reading
 * @property {string} scale
 * @property {string} account
 * @property {string} note
 * @property {{read_to: number, unread: string, shades: number[]}[]} texts
 * @property {number[][]} by_first shades of the second text for each word of the first
 * @property {number[][]} by_second
 * @property {Grid} grid
 * @property {{adding: Pair[], taking: Pair[]}} pairs
 */

/** @typedef {{text: string, start: number, end: number}} Token */

/**
 * /steps of one text: the numbers of one head, for one token.
 * @typedef {object} Steps
 * @property {string} model
 * @property {string} text
 * @property {Word[]} words
 * @property {Token[]} tokens
 * @property {number} token the one that is followed
 * @property {number} layer counted from 1, as `head`
 * @property {number} head
 * @property {number} d_k
 * @property {number[][]} x
 * @property {number[][]} q
 * @property {number[][]} k
 * @property {number[][]} v
 * @property {number[]} scores
 * @property {number[]} scaled
 * @property {number[]} weights
 * @property {number[][]} weighted
 * @property {number[]} summed
 * @property {number[][]} matrix
 * @property {number[][]} product
 * @property {number[]} concatenated
 * @property {number[]} joined
 * @property {number[][][][]} looks attention (layer, head, word, word)
 * @property {StepsView} view
 */

/**
 * @typedef {object} StepsView
 * @property {string} word the followed token in quotes
 * @property {string[]} names of the tokens
 * @property {number[]} shown tokens with a row, in reading order
 * @property {string} left_out
 * @property {{title: string, text: string}[]} stages
 * @property {string} equality
 * @property {string[]} honest
 * @property {number[]} bars
 * @property {(number|null)[]} powers
 * @property {number[][]} scores of the tokens shown
 * @property {number[][][]} darkest the weight that is darkest in each row of attention (layer, head, word)
 * @property {string} unread
 */

/**
 * /steps with `compare`: one word in two texts.
 * @typedef {object} TwoContexts
 * @property {string} word
 * @property {string} model
 * @property {number} cosine
 * @property {{name: string, cosine: number}[]} stages
 * @property {number[][]} apart
 * @property {{text: string, tokens: Token[], token: number, vector: number[]}[]} texts
 * @property {ContextsView} view
 */

/**
 * @typedef {object} ContextsView
 * @property {string} word in quotes
 * @property {string} verdict
 * @property {string} beginning
 * @property {string} unknown
 * @property {string} reason
 * @property {number[][]} means
 * @property {number[][]} shades
 * @property {[string, number][][][][]} tops what each head attends to most (text, layer, head)
 */

/** @typedef {{words: string[], spans: [number, number][], adds: number}} WordMatch  a word of the query that is in the text */

/**
 * A hit: its score is the sum of a part of words and a part of meaning.
 * @typedef {object} Hit
 * @property {string|number} id
 * @property {number} score
 * @property {number} by_words
 * @property {number} by_meaning
 * @property {string} text
 * @property {Record<string, any>} [columns]
 * @property {WordMatch[]} matches
 * @property {{number: number, of: number, start: number, end: number}|null} passage
 * @property {{query: string, text: string, adds: number}[]} [words]
 */

/** @typedef {{text: string, spans: [number, number][], weights: number[], shades: number[], is_start: boolean, is_end: boolean}} Sighting */
/** @typedef {{word: string, lift: number, count: number, places: Sighting[]}} AtlasWord */

/**
 * @typedef {object} AtlasHop
 * @property {number} number
 * @property {string} state
 * @property {number|null} entropy
 * @property {Record<string, number>} shares
 * @property {AtlasWord[]} words
 * @property {{label: string, words: AtlasWord[]}[]} by_label
 */

/** @typedef {{n_texts: number, file: string, notes: string[], suggestion: string, labels_are: string, hops: AtlasHop[]}} Atlas */

/**
 * A word or phrase that drives a label.
 * @typedef {object} LabelWord
 * @property {string} form
 * @property {number} shade from −1 to 1
 * @property {string} number its mean contribution
 * @property {string} interval
 * @property {string} about all of its numbers in a sentence
 */

/** @typedef {"supporting"|"opposing"} Side */

/**
 * @typedef {{label: string, heading: string, titles: Record<Side, string>} & Record<Side, LabelWord[]>} WordsOfLabel
 */

/**
 * What drives each label, as /card gives it.
 * @typedef {object} LabelWords
 * @property {string} title
 * @property {string} where it was counted
 * @property {string} account how to read it
 * @property {string[]} notes
 * @property {WordsOfLabel[]} labels
 * @property {{sentence: string}[]} shortcuts
 * @property {string} shortcuts_account
 */

export {};
