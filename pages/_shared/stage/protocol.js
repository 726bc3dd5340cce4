// What Python and the browser say to each other about the stage: the types of protocol.py, which
// says what each field means. A test compares the two.

/** How many frames may be asked for at once. */
export const MOST_WANTED = 60;

/**
 * Plotly's typed array.
 * @typedef {{dtype: string, bdata: string, gaps?: boolean}} Packed
 */

/**
 * @typedef {object} Points
 * @property {Packed} x
 * @property {Packed} y
 * @property {Packed} group
 * @property {Packed} wrong
 * @property {Packed} [size]
 * @property {Packed} [strength]
 * @property {string[]} [fills]
 * @property {number[]} [symbols]
 * @property {Packed} [slices]
 */

/**
 * @typedef {object} Marks
 * @property {Packed} kind
 * @property {number[]} symbols
 * @property {number[]} sizes
 * @property {number} width
 */

/**
 * @typedef {object} Edges
 * @property {Packed} places
 * @property {Packed} width
 * @property {boolean} arrow
 */

/**
 * @typedef {object} Figure
 * @property {object[]} data
 * @property {object} layout
 * @property {Points} [points]
 * @property {Marks} [marks]
 * @property {Edges} [edges]
 */

/**
 * @typedef {object} Track
 * @property {string} label
 * @property {string} along
 * @property {number} handles
 * @property {Packed} places
 */

/**
 * @typedef {object} View
 * @property {string} title
 * @property {number} height
 * @property {Figure} first
 * @property {Track | null} track
 * @property {boolean} [ahead]
 */

/**
 * @typedef {object} Option
 * @property {string} text
 * @property {number[]} [place]
 */

/**
 * @typedef {object} Question
 * @property {string} text
 * @property {Option[]} options
 * @property {number} right
 * @property {string} reason
 * @property {number[]} [place]
 */

/**
 * @typedef {object} Frame
 * @property {string} caption
 * @property {object[]} views
 * @property {Question} [question]
 */

/**
 * @typedef {object} Opening
 * @property {number} total
 * @property {boolean} equal
 * @property {string[]} names
 * @property {Packed} steps
 * @property {Packed} kinds
 * @property {View[]} views
 * @property {Object<string, Frame>} frames
 * @property {number[]} [numbers]
 */

/**
 * @typedef {object} Handles
 * @property {string} name
 * @property {string} label
 * @property {string} look
 * @property {number} view
 * @property {string} along
 * @property {number[][]} places
 * @property {boolean} [fixed]
 * @property {number} [at]
 */

/**
 * @typedef {object} Done
 * @property {string} page
 * @property {number} number
 */

/**
 * @typedef {object} Paint
 * @property {Packed} labels
 * @property {string[] | null} classes
 * @property {number} revision
 * @property {Done} done
 * @property {boolean} undo
 * @property {boolean} redo
 */

/**
 * @typedef {object} Theme
 * @property {object} templates
 * @property {string[]} palette
 * @property {Object<string, string>} lighter
 * @property {number[]} symbols
 * @property {number} rim
 */

/**
 * @typedef {object} Look
 * @property {number} at
 * @property {number[] | null} zoom
 * @property {boolean} present
 */

/**
 * @typedef {object} Stage
 * @property {string} place
 * @property {string} scene
 * @property {string} run
 * @property {string} opening
 * @property {string | null} error
 * @property {string} bounds
 * @property {number} links
 * @property {Look} look
 * @property {number} heard
 * @property {string} reason
 * @property {number[]} quiz
 * @property {boolean} forks
 * @property {number} fork
 * @property {boolean} carries
 * @property {string[] | null} legend
 * @property {Handles[]} handles
 * @property {Paint} paint
 * @property {Theme} theme
 */

/**
 * @typedef {object} Frames
 * @property {string} scene
 * @property {number} asked
 * @property {string | null} frames
 */

/**
 * @typedef {object} Wanted
 * @property {string} scene
 * @property {number[]} steps
 * @property {number} at
 * @property {number} number
 */

/**
 * @typedef {object} Edits
 * @property {string} page
 * @property {object[]} edits
 */

/**
 * @typedef {object} Moved
 * @property {string} name
 * @property {number[][]} places
 * @property {boolean} moving
 */

/**
 * @typedef {object} Fork
 * @property {number} step
 * @property {number} number
 */

/**
 * @typedef {object} Carried
 * @property {number} index
 * @property {number[]} to
 * @property {number} number
 */

/**
 * @typedef {object} Live
 * @property {string} key
 * @property {string} value
 * @property {string} before
 */
