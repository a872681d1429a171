//! `--format html`: one self-contained page, parsed as a browser would, and shown in a browser if
//! there is one.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;
use std::process::Command;

use crate::command::{Folder, SIZES};
use scraper::{ElementRef, Html, Selector};

/// A race after four passes of barriers, whose threads touch different widths of one cell.
const RACE: &str = "__kernel void late(__global int *a, __local int *t) {\n  int i = get_local_id(0);\n  t[i] = i;\n  \
    barrier(CLK_LOCAL_MEM_FENCE);\n  for (int r = 0; r < 3; r++)\n    barrier(CLK_LOCAL_MEM_FENCE);\n  a[i] = 1;\n  \
    ((__global uchar *)a)[4 * i + 6] = 2;\n}\n";

/// A barrier between two accesses of global memory that orders local memory only.
const WRONG_FENCE: &str = "__kernel void rotate(__global int *a, __global int *b) {\n  int i = get_local_id(0);\n  a[i] = i;\n  \
    barrier(CLK_LOCAL_MEM_FENCE);\n  b[i] = a[i + 1];\n}\n";

/// Some threads return between two barriers.
const DIVERGES: &str = "__kernel void diverges(__global int *a) {\n  barrier(CLK_LOCAL_MEM_FENCE);\n  \
    if (get_local_id(0) > 3)\n    return;\n  barrier(CLK_LOCAL_MEM_FENCE);\n  a[get_global_id(0)] = 1;\n}\n";

/// An access past the end of an array.
const OUTSIDE: &str = "__kernel void out(__global int *a) {\n  int t[4];\n  for (int i = 0; i <= 4; i++) t[i] = i;\n  \
    a[get_global_id(0)] = t[a[0] & 3];\n}\n";

/// A loop that is proved with invariants.
const FINE: &str = "__kernel void fine(__global int *a) {\n  for (int i = get_local_id(0); i < 1000; i += 64)\n    \
    a[1000 * get_group_id(0) + i] = i;\n}\n";

/// An unsupported construct in its second line.
const ODD: &str = "__kernel void odd(__global int *a) {\n  a[sub_group_reduce_add(1)] = 1;\n}\n";

/// Everything that could end a page's text early.
const HOSTILE: &str = "// </script><script>alert(1)</script> <!-- & &amp; \"quoted\" 'and' {{ 7 * 7 }}\n\
    __kernel void h(__global int *a) { // <b>bold</b></pre></code>\n  int i = get_local_id(0); /* ]]> */\n  \
    a[i] = a[i + 1]; // <img src=http://example.org/x.png onerror=alert(1)>\n}\n";

struct Page {
    text: String,
    html: Html,
}

impl Page {
    /// The report on files, with a check of every page: that it is complete.
    #[track_caller]
    fn of(folder: &Folder, words: &[&str], status: i32) -> Self {
        let fixed = ["verify", "--cl-std=CL3.0", "--format=html", "-o", "report.html"];
        let output = folder.run(&fixed.iter().chain(words).copied().collect::<Vec<_>>());
        assert_eq!(output.status.code(), Some(status), "{}", String::from_utf8_lossy(&output.stderr));
        assert!(output.stdout.is_empty(), "{output:?}");
        let text = fs::read_to_string(folder.path("report.html")).expect("a report");
        let page = Self { html: Html::parse_document(&text), text };
        page.check();
        page
    }

    fn of_source(source: &str, words: &[&str], status: i32) -> Self {
        let folder = Folder::new(&[("a.cl", source.as_bytes())]);
        Self::of(&folder, &[words, &["a.cl"]].concat(), status)
    }

    fn all(&self, selector: &str) -> Vec<ElementRef<'_>> {
        self.html.select(&Selector::parse(selector).expect("a selector")).collect()
    }

    #[track_caller]
    fn one(&self, selector: &str) -> ElementRef<'_> {
        let all = self.all(selector);
        assert_eq!(all.len(), 1, "{selector} in {}", self.text);
        all[0]
    }

    fn texts(&self, selector: &str) -> Vec<String> {
        self.all(selector).into_iter().map(text).collect()
    }

    /// Checks the properties of every page.
    #[track_caller]
    fn check(&self) {
        assert!(self.html.errors.is_empty(), "{:?}", self.html.errors);
        assert_eq!(self.one("html").attr("lang"), Some("en"));
        assert!(!text(self.one("head > title")).is_empty());
        self.check_that_nothing_is_loaded();
        let ids: Vec<&str> = self.all("[id]").iter().filter_map(|element| element.attr("id")).collect();
        let distinct: BTreeSet<&str> = ids.iter().copied().collect();
        assert_eq!(ids.len(), distinct.len(), "{ids:?}");
        for element in self.all("[aria-labelledby]") {
            let names = element.attr("aria-labelledby").unwrap_or_default().split(' ');
            names.for_each(|name| assert!(distinct.contains(name), "nothing is called {name}"));
        }
        for link in self.all("a[href]") {
            let target = link.attr("href").and_then(|target| target.strip_prefix('#')).expect("a link in the page");
            assert!(distinct.contains(target), "nothing is called {target}");
        }
        let levels = self.all("h1, h2, h3, h4, h5, h6");
        let levels: Vec<u32> = levels.iter().filter_map(|level| level.value().name()[1..].parse().ok()).collect();
        assert_eq!(levels.first(), Some(&1), "{levels:?}");
        assert!(levels.windows(2).all(|pair| pair[1] <= pair[0] + 1 && pair[1] > 1), "{levels:?}");
        for picture in self.all("svg") {
            let names = picture.children().filter_map(ElementRef::wrap).map(|child| child.value().name().to_owned());
            assert_eq!(names.take(2).collect::<Vec<_>>(), ["title", "desc"]);
        }
    }

    /// The page is self-contained.
    #[track_caller]
    fn check_that_nothing_is_loaded(&self) {
        let loading = "script, link, iframe, object, embed, img, video, audio, source, base, form, [src], [srcset], \
            [action], [background], [poster], [data], [xlink\\:href], use, image, meta[http-equiv]";
        assert!(self.all(loading).is_empty(), "{:?}", self.texts(loading));
        for element in self.all("*") {
            for (name, value) in element.value().attrs() {
                assert!(!name.starts_with("on") && name != "style", "{name}={value}");
            }
        }
        let style = text(self.one("style"));
        assert!(!style.contains("url(") && !style.contains("@import") && !style.contains("//"), "{style}");
    }
}

fn text(element: ElementRef<'_>) -> String {
    element.text().collect::<String>().split_whitespace().collect::<Vec<_>>().join(" ")
}

/// The number in an attribute.
#[track_caller]
fn number(element: ElementRef<'_>, attribute: &str) -> i32 {
    element.attr(attribute).and_then(|number| number.parse().ok()).unwrap_or_else(|| panic!("{attribute}"))
}

const ONE_GROUP: [&str; 2] = [SIZES[0], "--num-groups=1"];

#[test]
fn a_race_has_its_source_its_threads_and_both_pictures() {
    let page = Page::of_source(RACE, &ONE_GROUP, 1);
    assert_eq!(text(page.one(".finding h3")), "LS0101 Write-write race on a[1] (byte 2), threads of the same group #");
    assert_eq!(page.texts("mark.mark-1, mark.mark-2"), ["a[i]", "((__global uchar *)a)[4 * i + 6]"]);
    assert_eq!(page.texts(".source .label .badge"), ["1", "2"]);
    assert_eq!(page.texts(".source .barrier .number"), ["4", "6"]);
    let threads = page.texts(".threads li");
    assert_eq!(threads.len(), 2);
    assert!(threads[0].contains("writes here line 7"), "{threads:?}");
    assert!(threads[1].contains("= 4*0 + 6 = 6 (in bytes)"), "{threads:?}");
    let ways = page.texts(".ways svg text");
    for expected in ["barrier, line 4", "barrier, line 6 × 3", "interval 1", "interval 5", "in no order"] {
        assert!(ways.iter().any(|text| text == expected), "{expected} is not in {ways:?}");
    }
    let [first, second] = [page.one(".cells rect.bar-1"), page.one(".cells rect.bar-2")];
    assert_eq!(number(first, "width"), 4 * number(second, "width"));
    assert_eq!(number(first, "x") + 2 * number(second, "width"), number(second, "x"));
    let shared = page.one(".cells rect.shared");
    assert_eq!((number(shared, "x"), number(shared, "width")), (number(second, "x"), number(second, "width")));
    assert!(
        text(page.one(".cells figcaption"))
            .contains("(1) touches bytes 4–7, (2) touches byte 6, and they meet in byte 6;")
    );
    assert!(text(page.one(".manual summary")).starts_with("LS0101: Data race"));
}

/// The command in the page runs the finding again.
#[test]
fn the_command_of_a_confirmed_finding_runs_it_again() {
    // Without the definition the file does not compile.
    let race = format!("{RACE}\n#ifndef TRUE_ENOUGH\n#error\n#endif\n");
    let folder = Folder::new(&[("a file.cl", race.as_bytes())]);
    let page = Page::of(&folder, &[&ONE_GROUP[..], &["-DTRUE_ENOUGH", "a file.cl"]].concat(), 1);
    let command = text(page.one(".finding pre.command"));
    let words = command.strip_prefix("lockstep ").expect("a command").to_owned();
    let script = format!("'{}' {words}", env!("CARGO_BIN_EXE_lockstep"));
    let output = Command::new("sh").current_dir(folder.0.path()).args(["-c", &script]).output().expect("a shell");
    let said = String::from_utf8_lossy(&output.stdout);
    assert_eq!(output.status.code(), Some(1), "{command}: {output:?}");
    assert!(said.contains("race"), "{said}");
}

/// An access before a barrier that does not order it is drawn above it, the other one below.
#[test]
fn a_barrier_between_the_accesses_is_drawn_between_them() {
    let page = Page::of_source(WRONG_FENCE, &ONE_GROUP, 1);
    let barrier = number(page.all(".ways line.barrier")[0], "y1");
    let clash = page.one(".ways line.clash");
    let (first, second) = (number(clash, "y1"), number(clash, "y2"));
    assert!(first.min(second) < barrier && barrier < first.max(second), "{first} {barrier} {second}");
    assert!(text(page.one(".ways figcaption")).contains("does not order them"));
}

#[test]
fn a_divergence_shows_who_arrives_and_who_does_not() {
    let page = Page::of_source(DIVERGES, &ONE_GROUP, 1);
    let ways = page.texts(".ways svg text");
    for expected in ["barrier, line 2", "at the barrier, line 5", "has returned"] {
        assert!(ways.iter().any(|text| text == expected), "{expected} is not in {ways:?}");
    }
    assert_eq!(page.all(".ways line.missed").len(), 1);
    assert!(page.all(".cells").is_empty());
}

/// If only some lanes arrive, the finding's two threads are different ones.
#[test]
fn a_lane_that_waits_and_one_that_does_not_come_are_two() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("examples/syncwarp_absent_lane_defect.cu");
    let folder = Folder::new(&[]);
    let page = Page::of(&folder, &["--block-dim=64", "--grid-dim=1", &path.display().to_string()], 1);
    let threads = page.texts(".threads li p:first-child");
    assert_eq!(threads.len(), 2, "{threads:?}");
    let who = |text: &str| text.split(" of group").next().map(str::to_owned);
    assert_ne!(who(&threads[0]), who(&threads[1]), "{threads:?}");
}

#[test]
fn outside_of_an_array_its_end_is_shown() {
    let page = Page::of_source(OUTSIDE, &ONE_GROUP, 1);
    let edge = number(page.one(".cells line.edge"), "x1");
    assert!(page.all(".cells rect.element").iter().all(|cell| number(*cell, "x") < edge));
    assert!(page.all(".cells rect.outside").iter().all(|cell| number(*cell, "x") >= edge));
    assert_eq!(number(page.one(".cells rect.bar-1"), "x"), edge);
    assert_eq!(page.texts(".cells text.strong"), ["[4]"]);
    assert!(text(page.one(".cells figcaption")).contains("t has 4 elements"));
}

/// A fact that no run has shown is not drawn as if one had.
#[test]
fn page_says_which_facts_are_unknown() {
    let page = Page::of_source(RACE, &[&ONE_GROUP[..], &["--no-replay"]].concat(), 2);
    assert!(page.texts(".ways svg text").iter().any(|text| text.contains("not known")));
    assert!(page.all(".ways line.barrier").is_empty() && page.all(".ways line.lane").is_empty());
    assert!(text(page.one(".ways figcaption")).contains("is not known"));
    assert!(page.texts(".finding .facts dt").contains(&"Possible".to_owned()));
    assert_eq!(page.texts("h2 .verdict"), ["unknown"]);
    assert!(page.text.contains("no run has shown it; each warning says what it hinges on"));
    assert!(page.text.contains("is neither confirmed by a run nor excluded by a proof"));
    assert!(page.all(".finding pre.command").is_empty());
    // The proof knows the start of each access.
    assert_eq!(page.all(".cells rect.bar-1, .cells rect.bar-2").len(), 2);
}

#[test]
fn verified_kernel_lists_its_grounds() {
    let page = Page::of_source(FINE, &SIZES, 0);
    assert_eq!(page.texts("h2 .verdict"), ["verified"]);
    assert!(page.one("details.assumptions").attr("open").is_some());
    let listings = page.texts("details.listing");
    assert!(listings[0].contains("Proved: ") && listings[0].contains("while loop0"), "{listings:?}");
    assert!(page.texts(".invariants").iter().any(|invariants| invariants.contains("recurrences")));
    assert!(page.texts(".listing .caption").iter().any(|caption| caption.contains("the loop at line 2")));
    assert!(page.all(".listing[open]").is_empty());
}

#[test]
fn an_unknown_says_why() {
    let page = Page::of_source(ODD, &SIZES, 2);
    assert_eq!(page.texts("h2 .verdict"), ["unknown"]);
    assert!(text(page.one(".reasons")).contains("sub_group_reduce_add"));
    assert!(text(page.one(".manual summary")).starts_with("LS0203"));
    let lost = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/reasons/lost_in_an_iteration.cl");
    let page = Page::of_source(
        &fs::read_to_string(lost).expect("a kernel"),
        &["--local-size=64", "--num-groups=2", "--no-infer", "--timeout=4"],
        2,
    );
    assert!(text(page.one(".reasons")).contains("invariant"), "{}", text(page.one(".reasons")));
}

#[test]
fn several_kernels_have_a_table_and_errors_are_listed() {
    let folder = Folder::new(&[
        ("a.cl", [RACE, FINE].concat().as_bytes()),
        ("b.cl", ODD.as_bytes()),
        ("wrong.cl", b"syntax error"),
    ]);
    let page = Page::of(&folder, &[SIZES[0], "--num-groups=1", "a.cl", "b.cl", "wrong.cl"], 3);
    assert_eq!(page.texts(".summary tbody .verdict"), ["defect", "verified", "unknown"]);
    assert_eq!(page.texts(".summary tbody a"), ["late", "fine", "odd"]);
    assert_eq!(page.all("section.kernel").len(), 3);
    assert!(text(page.one(".errors pre")).contains("wrong.cl"));
    assert!(text(page.one("header pre.command")).ends_with("--num-groups=1 a.cl b.cl wrong.cl"));
}

#[test]
fn findings_of_the_baseline_are_left_out() {
    let folder = Folder::new(&[("a.cl", [RACE, ODD].concat().as_bytes())]);
    let words = [SIZES[0], "--num-groups=1", "a.cl", "--cl-std=CL3.0"];
    folder.run(&[&["verify", "--format=sarif", "-o", "old.sarif"], &words[..]].concat());
    let page = Page::of(&folder, &[&words[..3], &["--baseline=old.sarif"]].concat(), 0);
    assert!(page.all(".finding").is_empty());
    assert_eq!(text(page.one(".baseline")), "Left out, as the baseline old.sarif has them: 1 finding, 1 unknown");
    assert!(text(page.one("#kernel-1")).contains("LS0101: write-write race"));
    assert!(page.all(".reasons").is_empty());
}

/// A finding's anchor in the page is its SARIF fingerprint.
#[test]
fn fingerprints_are_anchors() {
    let folder = Folder::new(&[("a.cl", [RACE, ODD].concat().as_bytes())]);
    let words = [SIZES[0], "--num-groups=1", "a.cl"];
    let output = folder.run(&[&["verify", "--format=sarif", "--cl-std=CL3.0"], &words[..]].concat());
    let log: serde_json::Value = serde_json::from_slice(&output.stdout).expect("SARIF");
    let page = Page::of(&folder, &words, 1);
    let results = log["runs"][0]["results"].as_array().expect("results");
    assert_eq!(results.len(), 2);
    for result in results {
        let print = result["partialFingerprints"]["lockstepFinding/v1"].as_str().expect("a fingerprint");
        page.one(&format!("[id='{print}']"));
    }
}

#[test]
fn input_of_the_user_is_text() {
    let folder = Folder::new(&[("<b>&\"'.cl", HOSTILE.as_bytes())]);
    let page = Page::of(&folder, &[&ONE_GROUP[..], &["<b>&\"'.cl", "-D", "X=\"</pre><script>\""]].concat(), 1);
    let source = text(page.one(".source code"));
    assert!(source.contains("<b>bold</b></pre></code>") && source.contains("onerror=alert(1)>"), "{source}");
    assert!(text(page.one("header pre.command")).contains("</pre><script>"));
    assert_eq!(text(page.one(".source figcaption")), "<b>&\"'.cl");
    assert!(!page.text.contains("<b>"), "{}", page.text);
}

// --- Colours and browsers ------------------------------------------------------------------------

/// The relative luminance of a colour, as the Web Content Accessibility Guidelines define it.
fn luminance(colour: &str) -> f64 {
    let part = |at: usize| {
        let value = f64::from(u8::from_str_radix(&colour[at..at + 2], 16).expect("a colour")) / 255.0;
        if value <= 0.04045 { value / 12.92 } else { ((value + 0.055) / 1.055).powf(2.4) }
    };
    0.2126 * part(1) + 0.7152 * part(3) + 0.0722 * part(5)
}

fn contrast(a: &str, b: &str) -> f64 {
    let (a, b) = (luminance(a), luminance(b));
    (a.max(b) + 0.05) / (a.min(b) + 0.05)
}

#[test]
fn every_text_can_be_read_on_every_ground() {
    assert!((contrast("#ffffff", "#000000") - 21.0).abs() < 1e-9);
    let style = include_str!("../../src/report/html/templates/style.css");
    let schemes: Vec<&str> =
        style.split(":root {").skip(1).map(|part| part.split('}').next().unwrap_or(part)).collect();
    assert_eq!(schemes.len(), 3, "light, dark and paper");
    for scheme in schemes {
        let colour = |name: &str| {
            let value = scheme.split(&format!("--{name}: ")).nth(1).expect("a colour");
            value[..7].to_owned()
        };
        let texts = ["ink", "quiet", "first", "second", "verified", "defect", "unknown", "error"];
        for text in texts {
            for ground in ["ground", "panel", "band"] {
                let contrast = contrast(&colour(text), &colour(ground));
                assert!(contrast >= 4.5, "{text} on {ground}: {contrast} in {scheme}");
            }
        }
        for (text, ground) in
            [("on-badge", "first"), ("on-badge", "second"), ("ink", "first-tint"), ("ink", "second-tint")]
        {
            assert!(contrast(&colour(text), &colour(ground)) >= 4.5, "{text} on {ground} in {scheme}");
        }
    }
}

/// A browser, if there is one.
///
/// A snap, such as Ubuntu's Chromium, cannot open files in the folder for temporary files.
fn browser() -> Option<&'static str> {
    let is_snap = |version: &[u8]| String::from_utf8_lossy(version).trim_end().ends_with("snap");
    ["chromium", "chromium-browser", "google-chrome"].into_iter().find(|name| {
        let runs = Command::new(name).arg("--version").output();
        runs.is_ok_and(|output| output.status.success() && !is_snap(&output.stdout))
    })
}

/// A browser's result for a page: the document, or a picture.
fn show(browser: &str, folder: &Folder, dark: bool, what: &[&str], page: &str) -> std::process::Output {
    let profile = folder.path("profile");
    Command::new(browser)
        .current_dir(folder.0.path())
        .args(["--headless=new", "--no-sandbox", "--disable-gpu", "--hide-scrollbars", "--no-first-run"])
        .args(["--disable-background-networking", "--disable-dev-shm-usage"])
        .arg(format!("--user-data-dir={}", profile.display()))
        .arg(format!("--blink-settings=preferredColorScheme={}", i32::from(!dark)))
        .args(what)
        .arg(format!("file://{}", folder.path(page).display()))
        .output()
        .expect("the browser runs")
}

/// A page with the page in a frame of this width, which reports the width of its unfolded content.
fn framed(page: &str, width: u32) -> String {
    let text = page.replace('&', "&amp;").replace('"', "&quot;");
    let measure = "function measure(frame) { const inner = frame.contentDocument, root = inner.documentElement;\
        inner.querySelectorAll('details').forEach(part => part.open = true);\
        document.documentElement.dataset.widths = root.scrollWidth + ' ' + root.clientWidth;\
        document.documentElement.dataset.ground = getComputedStyle(inner.body).backgroundColor; }";
    format!(
        "<!DOCTYPE html><html style=\"color-scheme: light dark\"><script>{measure}</script><body style=\"margin: 0\">\
         <iframe width=\"{width}\" height=\"800\" style=\"border: 0\" onload=\"measure(this)\" srcdoc=\"{text}\"></iframe>"
    )
}

/// Nothing overflows the window, be it wide or narrow, light or dark, folded or not.
#[test]
#[expect(clippy::print_stdout, reason = "whoever runs the test is told that it is left out")]
fn the_page_fits_its_window() {
    let Some(browser) = browser() else {
        println!("note: there is no Chromium: how the page looks in a browser is not tested");
        return;
    };
    let wide = format!("  a[i] = a[i + 1] + 0 * ({});\n", "1 + ".repeat(200) + "1");
    let long = HOSTILE.replace("  a[i] = a[i + 1];", &wide).replace(" h(", &format!(" {}(", "long_name_".repeat(20)));
    let folder = Folder::new(&[("a.cl", [RACE, DIVERGES, OUTSIDE, FINE, ODD, &long].concat().as_bytes())]);
    let page = Page::of(&folder, &[SIZES[0], "--num-groups=1", "a.cl"], 1);
    fs::write(folder.path("page.html"), &page.text).expect("a file can be written");
    // Overflowing content is detected.
    fs::write(folder.path("frame.html"), framed("<!DOCTYPE html><p style=\"width: 700px\">wide", 400))
        .expect("a file can be written");
    let output = show(browser, &folder, false, &["--dump-dom"], "frame.html");
    assert!(!String::from_utf8_lossy(&output.stdout).contains("data-widths=\"400 400\""));
    let mut grounds = BTreeSet::new();
    for width in [1280, 400] {
        for dark in [false, true] {
            // A browser's window is never as narrow as a telephone, but a frame is.
            fs::write(folder.path("frame.html"), framed(&page.text, width)).expect("a file can be written");
            let output = show(browser, &folder, dark, &["--dump-dom", "--window-size=1280,900"], "frame.html");
            let shown = Html::parse_document(&String::from_utf8_lossy(&output.stdout));
            let root = shown.root_element();
            assert_eq!(root.attr("data-widths"), Some(format!("{width} {width}").as_str()), "{output:?}");
            grounds.insert(root.attr("data-ground").map(str::to_owned));
            let size = format!("--window-size={width},900");
            show(browser, &folder, dark, &["--screenshot=shown.png", &size], "page.html");
            let picture = fs::read(folder.path("shown.png")).expect("a picture");
            assert!(picture.starts_with(b"\x89PNG") && picture.len() > 10_000);
            fs::remove_file(folder.path("shown.png")).expect("the picture is there");
        }
    }
    assert_eq!(grounds.len(), 2, "a light and a dark one: {grounds:?}");
}
