// What Python and the browser say to each other about the stage. Written from protocol.py
// by `python -m tests.stage.write_protocol`: edit that file, and not this one.

export const MOST_POINTS = 5000;
export const MOST_WANTED = 60;
export const MOST_DRAWINGS = 2000;

/**
 * What replaces a colour of the palette on one paper.
 * @typedef {object} Ink
 * @property {Record<string, string>} words
 * @property {Record<string, string>} lines
 */

/**
 * Plotly's typed array.
 *
 * With `gaps` it holds the differences of ascending numbers; after 255 the difference goes on.
 * @typedef {object} Packed
 * @property {"f8" | "f4" | "i4" | "u1"} dtype
 * @property {string} bdata base64
 * @property {boolean} [gaps]
 */

/**
 * The data points of a view, as viz.core.plane.points makes them.
 * @typedef {object} Points
 * @property {Packed} x
 * @property {Packed} y
 * @property {Packed} group picks fill and symbol
 * @property {Packed} wrong 1: misclassified, drawn with a thick outline
 * @property {Packed} [size] of the usual diameter, in 32nds
 * @property {Packed} [strength] opacity, of 255
 * @property {Packed} [held] 1: held out, drawn with a pale dot in the middle
 * @property {string[]} [fills] colours by group, where they are not the palette's
 * @property {number[]} [symbols] by group
 * @property {string[]} [names] in the table of the view
 * @property {Packed} [slices] (points * groups) shares of 255: those of mixed points are pies
 */

/**
 * Outlines over some of the figure's points that show their state.
 * @typedef {object} Marks
 * @property {Packed} kind for each point a place in the next two
 * @property {number[]} symbols
 * @property {number[]} sizes pixels, 0: no mark
 * @property {number} width
 */

/**
 * Straight connections, in ink, below the points.
 * @typedef {object} Edges
 * @property {Packed} places (m * 4): x0, y0, x1, y1
 * @property {Packed} width pixels
 * @property {boolean} arrow
 */

/**
 * What the marks mean that the stage draws; the legend shows them beside the traces' names.
 * @typedef {object} Signs
 * @property {string} [points]
 * @property {string} [wrong]
 * @property {string} [size]
 * @property {string} [strength]
 * @property {string} [edges]
 * @property {string[]} [marks] one for every kind
 */

/**
 * Numbers for the table of a view that its picture shows without writing them.
 * @typedef {object} Told
 * @property {string} title
 * @property {string} of what a row is
 * @property {string[]} names of the rows
 * @property {string[]} columns
 * @property {Packed} values (rows * columns)
 */

/**
 * What Plotly draws, and what the stage draws between its regions and its lines.
 * @typedef {object} Figure
 * @property {Record<string, any>[]} data
 * @property {Record<string, any>} layout
 * @property {Points} [points]
 * @property {Marks} [marks]
 * @property {Edges} [edges]
 * @property {Told} [told]
 * @property {Signs} [signs]
 */

/**
 * Handles whose places depend on the step; dragging one goes to the step with that place.
 * @typedef {object} Track
 * @property {string} label
 * @property {"xy" | "x" | "y"} along the directions in which the pointer counts
 * @property {number} handles
 * @property {Packed} places (steps * handles * 2)
 */

/**
 * Marks that are switched on and off together; see layers.js.
 * @typedef {object} Layer
 * @property {string} name
 * @property {string[]} marks their names in the legend
 * @property {boolean} on as the lab opens
 */

/**
 * One panel. `first` is its figure at step 0; frames hold the differences from it.
 * @typedef {object} View
 * @property {string} title
 * @property {number} height
 * @property {Figure} first
 * @property {Track | null} track
 * @property {boolean} board its points, if any, are the board's: the picture can be painted on
 * @property {boolean} large it opens in the big place, and the picture in the small one
 * @property {"hidden" | "to a question" | "by step" | "at the start"} [ahead]
 * @property {number[]} [at] where its curves are at every step, if not at its number
 * @property {Layer[]} [layers]
 */

/**
 * An answer.
 * @typedef {object} Option
 * @property {string} text
 * @property {number[]} [place] the number of a view, and x and y on its axes
 */

/**
 * What will the next step do?
 * @typedef {object} Question
 * @property {string} text
 * @property {Option[]} options
 * @property {number} right an option's index
 * @property {string} reason for afterwards
 * @property {number[]} [place] what is asked about
 */

/**
 * The differences from a view's first figure; those of traces by the trace's index.
 * @typedef {object} Patch
 * @property {Record<string, Record<string, any>>} [data]
 * @property {Record<string, any>} [layout]
 * @property {Record<string, any>} [points]
 * @property {Record<string, any>} [marks]
 * @property {Record<string, any>} [edges]
 * @property {Record<string, any>} [told]
 * @property {Record<string, any>} [signs]
 */

/**
 * One step.
 * @typedef {object} Frame
 * @property {string} caption
 * @property {string} [answer] the end of the caption; see secret.js
 * @property {Patch[]} views
 * @property {Question} [question]
 */

/**
 * What a class can draw on the picture; see viz.core.drawing.
 * @typedef {object} Drawing
 * @property {string} task
 * @property {"line" | "street" | "points" | "stump" | "disc"} shape
 * @property {string[]} names of the places
 * @property {number[][]} start places, in data
 * @property {string} measure what the cost is
 * @property {boolean} classes the points are shown with their classes
 * @property {string} runs what the button says that runs the lab on the drawings; "": there is none
 */

/**
 * The answer to a move: how long the run is, where its events are, and a few frames.
 * @typedef {object} Opening
 * @property {number} total steps
 * @property {boolean} equal the second view is as large as the picture
 * @property {string} unit what a step is called, "round"
 * @property {number} first the number of step 0
 * @property {string[]} names of the events
 * @property {Packed} steps the step of each event, ascending
 * @property {Packed} kinds its place in `names`
 * @property {View[]} views
 * @property {Drawing | null} drawing
 * @property {Record<string, Frame>} frames by step number
 * @property {number[]} [numbers] of the steps in the whole run, where this is not all of it
 */

/**
 * Places that the user drags; they are a parameter of the lab.
 * @typedef {object} Handles
 * @property {string} name the parameter's
 * @property {string} label
 * @property {"number" | "query" | "line"} look a disc with its number, a cross hair, or a bar
 * @property {number} view
 * @property {"xy" | "x" | "y"} along
 * @property {number[][]} places
 * @property {boolean} [fixed] they are only looked at
 * @property {number} [at] the only step at which they are there
 */

/**
 * A button in a view that sets a parameter of the lab.
 * @typedef {object} Choice
 * @property {string} name the parameter's
 * @property {string} value
 * @property {string} text "": it lies unseen over a part of the picture, of this `size`
 * @property {string} label for screen readers
 * @property {number} view
 * @property {number[]} place of its middle, in data
 * @property {number[]} [size] across and up, in data
 * @property {number} [at] the only step at which it is there
 */

/**
 * How many edits of which browser page were carried out.
 * @typedef {object} Done
 * @property {string} page
 * @property {number} number
 */

/**
 * The state of the board, which can be painted on.
 * @typedef {object} Paint
 * @property {Packed} labels each point's class
 * @property {string[] | null} classes their names; None where points have no class
 * @property {number} revision edits of another revision are void
 * @property {Done} done
 * @property {boolean} undo
 * @property {boolean} redo
 */

/**
 * Colours, symbols and Plotly's templates, "light" and "dark".
 * @typedef {object} Colors
 * @property {Record<string, any>} templates
 * @property {string[]} palette
 * @property {Record<"light" | "dark", Ink>} inks
 * @property {number[]} symbols
 * @property {number} rim the share of a point's colour in its outline
 */

/**
 * Step, zoom, presenter mode and layers of a link.
 * @typedef {object} Look
 * @property {number} at the step
 * @property {[number, number, number, number] | null} zoom left, right, bottom, top: shares of the whole
 * @property {boolean} present presenter mode
 * @property {string[]} layers that were switched on or off
 */

/**
 * What the situation under way asks the visitor to bring about.
 * @typedef {object} Goal
 * @property {string} name no other goal has it
 * @property {string} text
 * @property {string} hint
 * @property {boolean} reached by the run that is shown
 */

/**
 * The situation under way, in its week or in a lecture.
 * @typedef {object} Lesson
 * @property {string} question
 * @property {string} todo what to do to answer it
 * @property {string} answer "" if there is none
 * @property {boolean} hides_end the player does not show the number of steps until the answer is open
 * @property {string} place "Week 6: 3 of 11"
 * @property {string} previous lab and title of the situation before; "" at the start
 * @property {string} next "" at the end
 * @property {Goal | null} goal
 */

/**
 * The data of the stage at a rerun.
 * @typedef {object} Stage
 * @property {string} place the lab and its mode: each has a step to come back to
 * @property {string} scene the scene's key, under which frames are requested
 * @property {string} run the run's key: as long as it is the same, the shown step stays
 * @property {string} opening an Opening as JSON
 * @property {string | null} error
 * @property {string} bounds changes when the plane does: zooming ends; "" where there is no board
 * @property {string} session the session that answers: another one if the first was lost
 * @property {number} links links opened so far
 * @property {Look} look that of the last link
 * @property {number} heard messages about dragged handles and sliders: every one gets an answer
 * @property {number} put the number of the last move of a handle that was heard
 * @property {string} reason what changed since the run before
 * @property {string} origin that links get instead of the page's own; "" where others reach that
 * @property {string} lab its title; "" in an exported run, whose page has a heading
 * @property {Lesson | null} lesson
 * @property {boolean} rooms phones can join a room: there is a server
 * @property {number[]} quiz steps at whose questions a quiz stops, ascending; empty without a quiz
 * @property {boolean} forks a step of the run can be changed
 * @property {number} fork the changed step; 0: none
 * @property {boolean} grows answers of the user make the run longer: a new one is shown at its end
 * @property {boolean} carries a dragged point is moved from the changed step on, and not in the data
 * @property {number} opens the step to show where nothing was shown before, and no link asks for a step
 * @property {string[] | null} legend names of the groups of the picture's points, if they are classes
 * @property {Handles[]} handles
 * @property {Choice[]} choices
 * @property {Paint | null} paint None: the lab has no board
 * @property {Colors} theme
 */

/**
 * The answer to a request for frames.
 * @typedef {object} Frames
 * @property {string} scene
 * @property {number} asked the number of the request
 * @property {string | null} frames {step: Frame} as JSON
 */

/**
 * The browser asks for frames.
 * @typedef {object} Wanted
 * @property {string} scene
 * @property {number[]} steps MOST_WANTED at most
 * @property {number} at the step that is shown
 * @property {number} number of the request
 */

/**
 * The browser asks what the drawings of a room cost, and for the best one.
 * @typedef {object} Drawings
 * @property {string} scene
 * @property {number[][][]} places of each drawing, MOST_DRAWINGS at most
 * @property {number[]} counts phones that gave this drawing
 * @property {number} number of the request, from 1
 */

/**
 * The answer: the costs of the drawings, and the best one.
 * @typedef {object} Judged
 * @property {string} scene
 * @property {number} asked the number of the request; 0: there was none
 * @property {(number | null)[]} costs None: this is no drawing
 * @property {number[][]} best places
 * @property {number | null} least its cost
 * @property {Record<string, string>} link the parameters with which the lab runs on the drawings, if it can
 */

/**
 * A stroke, an undo or a redo; see pages/_shared/data/edits.py.
 * @typedef {object} Edit
 * @property {"add" | "move" | "erase" | "relabel" | "undo" | "redo"} op
 * @property {number[][]} [points] to add
 * @property {number} [label] of them, or of those that are relabelled
 * @property {number[]} [indices] of those that are erased or relabelled
 * @property {number} [index] of the one that is moved
 * @property {number[]} [to]
 * @property {number} [number] of the edit
 * @property {number} [revision] of the board that was painted on
 */

/**
 * The browser has painted. It repeats edits until it sees them done.
 * @typedef {object} Edits
 * @property {string} page
 * @property {Edit[]} edits
 */

/**
 * A handle is being dragged, or has been let go.
 * @typedef {object} Moved
 * @property {string} name
 * @property {number[][]} places
 * @property {boolean} moving
 * @property {number} number counts the moves of all handles
 */

/**
 * A button in a view was pressed.
 * @typedef {object} Chosen
 * @property {string} name of the parameter
 * @property {string} value
 * @property {number} number of the message, since the same value may be chosen again
 */

/**
 * The browser asks to change the next step, or to go back to the original run.
 * @typedef {object} Fork
 * @property {number} step that is shown
 * @property {number} number of the request, since the same step may be requested again
 */

/**
 * A point was dragged: it is moved from the changed step on.
 * @typedef {object} Carried
 * @property {number} index
 * @property {number[]} to
 * @property {number} number of the message, since the same message may be sent again
 */

/**
 * A slider is being dragged; the widget itself only reports when it is let go.
 * @typedef {object} Live
 * @property {string} key of the widget
 * @property {string} value
 * @property {string} before what it was before
 */

/**
 * The messages of the stage to Python, by name.
 * @typedef {object} Messages
 * @property {Edits} edits
 * @property {Moved} places
 * @property {Chosen} chosen
 * @property {Live} live
 * @property {Fork} fork
 * @property {Carried} carried
 */
