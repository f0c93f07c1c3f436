// Characters drawn as brush strokes. A stroke is a centre line with a width at every
// point; its outline is what is filled. No font is needed, so a piece looks the same
// on every machine.

const samples = 10; // of the curve between two points

// outline is the SVG path of a stroke: points [x, y, width] joined by a Catmull-Rom
// curve, or straight if there are only two.
export function outline(points) {
  const line = smooth(points);
  const left = [];
  const right = [];
  line.forEach(([x, y, w], i) => {
    const [ax, ay] = line[Math.max(i - 1, 0)];
    const [bx, by] = line[Math.min(i + 1, line.length - 1)];
    const length = Math.hypot(bx - ax, by - ay) || 1;
    const nx = (-(by - ay) / length) * (w / 2);
    const ny = ((bx - ax) / length) * (w / 2);
    left.push([x + nx, y + ny]);
    right.unshift([x - nx, y - ny]);
  });
  const first = line[0][2] / 2;
  const last = line[line.length - 1][2] / 2;
  const join = (list) => list.map(([x, y]) => `${x.toFixed(1)} ${y.toFixed(1)}`).join("L");
  const cap = (r, [x, y]) => `A${r.toFixed(1)} ${r.toFixed(1)} 0 0 0 ${x.toFixed(1)} ${y.toFixed(1)}`;
  return `M${join(left)}${cap(last, right[0])}L${join(right)}${cap(first, left[0])}Z`;
}

function smooth(points) {
  if (points.length < 3) return points;
  const at = (i) => points[Math.min(Math.max(i, 0), points.length - 1)];
  const line = [];
  for (let i = 0; i < points.length - 1; i++) {
    for (let s = 0; s < samples; s++) {
      const t = s / samples;
      line.push([0, 1, 2].map((d) => spline(at(i - 1)[d], at(i)[d], at(i + 1)[d], at(i + 2)[d], t)));
    }
  }
  line.push(at(points.length - 1));
  return line.map(([x, y, w]) => [x, y, Math.max(w, 0.6)]);
}

function spline(a, b, c, d, t) {
  return 0.5 * (2 * b + (c - a) * t + (2 * a - 5 * b + 4 * c - d) * t * t + (3 * b - a - 3 * c + d) * t * t * t);
}

// The usual strokes, drawn with the pressure that a brush has.
const across = (x1, x2, y, w = 7) => [[x1, y + 1, w + 1.5], [x1 + (x2 - x1) * 0.3, y + 0.3, w - 1], [x1 + (x2 - x1) * 0.8, y - 1, w - 0.5], [x2, y - 0.5, w + 3]];
const down = (x, y1, y2, w = 9) => [[x - 1, y1, w + 1.5], [x, y1 + (y2 - y1) * 0.3, w - 0.5], [x, y1 + (y2 - y1) * 0.75, w - 0.5], [x, y2, w + 1]];
const drop = (x1, y1, x2, y2, w = 11) => [[x1, y1, 3], [(x1 * 0.4 + x2 * 0.6), (y1 * 0.45 + y2 * 0.55), w * 0.85], [x2, y2, w]];
const sweep = (...points) => points.map(([x, y], i) => [x, y, [10, 8.5, 6, 1.5][Math.round((i * 3) / (points.length - 1))]]);
const press = (...points) => points.map(([x, y], i) => [x, y, [4, 6.5, 12, 2][Math.round((i * 3) / (points.length - 1))]]);

// glyphs are the characters' strokes in a square of 100 by 100.
const glyphs = {
  王: [across(20, 80, 18), across(25, 75, 49), across(11, 89, 84, 8), down(50, 19, 83)],
  玉: [across(20, 80, 17), across(24, 76, 48), across(11, 89, 84, 8), down(50, 18, 83), drop(62, 58, 74, 70)],
  飛: [
    across(14, 56, 13, 6), [[56, 12, 7], [59, 25, 8], [69, 37, 8], [84, 43, 9], [90, 42, 8], [91, 31, 1.5]],
    sweep([88, 9], [82, 14], [75, 17], [68, 19]), drop(73, 20, 86, 30, 8),
    sweep([39, 23], [30, 29], [21, 34], [9, 38]), sweep([27, 33], [27, 56], [22, 76], [7, 95]),
    down(46, 26, 95, 8.5), across(6, 58, 56, 6),
    [[58, 55, 7], [61, 69, 8], [70, 81, 8], [85, 88, 9], [91, 87, 8], [92, 75, 1.5]],
    sweep([88, 54], [82, 58], [76, 61], [69, 63]), drop(74, 65, 87, 75, 8),
  ],
  角: [
    sweep([43, 3], [37, 14], [28, 24], [15, 33]), across(39, 63, 14, 6), sweep([65, 12], [62, 20], [58, 26], [53, 31]),
    sweep([26, 31], [26, 55], [22, 76], [8, 95]), across(27, 78, 31, 6.5),
    [[79, 30, 9], [80, 55, 8.5], [80, 86, 9], [77, 92, 9], [65, 85, 1.5]],
    down(52, 32, 69, 7.5), across(28, 78, 50, 6), across(27, 78, 69, 6),
  ],
  金: [
    sweep([49, 6], [41, 19], [27, 33], [6, 46]), press([52, 9], [62, 22], [82, 39], [97, 45]),
    across(31, 70, 43, 6.5), across(23, 78, 60, 6.5), down(50, 43, 90), drop(27, 67, 35, 81, 9), drop(75, 66, 64, 80, 9), across(10, 91, 92, 8),
  ],
  銀: [
    sweep([25, 6], [21, 16], [14, 27], [3, 38]), press([27, 9], [32, 16], [41, 26], [47, 30]),
    across(14, 39, 37, 5.5), across(8, 44, 54, 5.5), down(26, 37, 87, 7.5), drop(11, 62, 16, 74, 7), drop(42, 60, 35, 73, 7),
    [[4, 91, 8], [16, 89, 6.5], [32, 85, 6], [47, 80, 4]],
    across(58, 86, 13, 6), down(87, 12, 49, 8), across(58, 86, 30, 5.5), across(58, 86, 48, 5.5),
    [[56, 12, 9], [57, 45, 8], [57, 88, 8.5], [59, 91, 7], [72, 82, 1.5]],
    sweep([93, 55], [88, 60], [82, 65], [74, 69]), press([66, 50], [71, 64], [83, 81], [97, 92]),
  ],
  歩: [
    down(50, 3, 39), across(51, 77, 20, 6.5), down(27, 17, 39, 8), across(8, 93, 40, 7.5),
    [[50, 45, 9], [50, 58, 8.5], [50, 68, 9], [46, 72, 8], [37, 67, 1.5]],
    sweep([31, 49], [26, 58], [20, 65], [11, 71]), drop(65, 48, 86, 64, 10),
    sweep([80, 60], [67, 78], [45, 90], [11, 97]),
  ],
  竜: [
    down(50, 2, 16, 8), across(20, 80, 18, 6.5), drop(34, 24, 39, 35, 8), sweep([66, 22], [64, 29], [61, 34], [58, 38]), across(9, 91, 40, 7.5),
    down(26, 51, 79, 8), across(27, 75, 52, 6), down(75, 51, 79, 8), across(27, 75, 64, 5.5), across(27, 75, 77, 5.5),
    [[50, 43, 9], [50, 70, 8.5], [51, 88, 8.5], [58, 94, 9], [75, 94, 8], [89, 92, 8.5], [91, 79, 1.5]],
  ],
  馬: [
    down(24, 8, 62, 8.5), across(25, 79, 10, 6.5), across(25, 75, 27, 6), across(25, 75, 44, 6), down(51, 11, 61, 7.5), across(24, 84, 62, 6.5),
    [[86, 61, 9], [86, 76, 8.5], [83, 91, 9], [78, 95, 8], [67, 89, 1.5]],
    sweep([17, 72], [15, 81], [11, 88], [5, 94]), drop(31, 72, 36, 87, 8), drop(46, 71, 53, 85, 8), drop(61, 70, 69, 82, 8),
  ],
  全: [
    sweep([49, 5], [41, 19], [26, 34], [5, 48]), press([52, 8], [62, 22], [82, 40], [97, 47]),
    across(28, 73, 48, 6.5), across(31, 70, 69, 6.5), down(50, 48, 91), across(12, 89, 92, 8),
  ],
  と: [
    [[31, 9, 10], [34, 27, 9], [39, 40, 7], [45, 50, 3]],
    [[80, 28, 9], [62, 38, 8], [38, 53, 8], [24, 69, 9], [28, 84, 9.5], [46, 90, 9], [66, 90, 9], [84, 86, 11]],
  ],
};

const paths = new Map();

// glyph is the SVG path of a character, in a square of 100 by 100.
export function glyph(character) {
  if (!paths.has(character)) paths.set(character, glyphs[character].map(outline).join(""));
  return paths.get(character);
}
