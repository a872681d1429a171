//! A drawing as a list of shapes, which a template writes as SVG. Units are CSS pixels; colours are the page's.

use askama::Template;

/// The width of every drawing: it fits a narrow screen.
pub const WIDTH: i32 = 360;

/// A drawing.
#[derive(Template)]
#[template(path = "drawing.svg")]
pub struct Drawing {
    /// Tells this drawing's elements from those of others on the page.
    pub id: String,
    /// Its height.
    pub height: i32,
    /// What it is, in a few words.
    pub title: String,
    /// What it shows, for those who do not see it.
    pub description: String,
    /// What is drawn, the lowest first.
    pub shapes: Vec<Shape>,
}

/// What is drawn. The class says how it looks (style.css).
pub enum Shape {
    /// A line.
    Line { class: &'static str, from: (i32, i32), to: (i32, i32) },
    /// A rectangle: its upper left corner, its width and height.
    Rectangle { class: &'static str, at: (i32, i32), size: (i32, i32) },
    /// Text on a line: its anchor, which is the start, the middle or the end of it.
    Text { class: &'static str, at: (i32, i32), anchor: &'static str, text: String },
    /// An access's number: a circle for the first thread, a square for the second.
    Badge { at: (i32, i32), number: usize },
}

impl Drawing {
    /// An empty one.
    pub fn new(id: String, title: String) -> Self {
        Self { id, height: 0, title, description: String::new(), shapes: Vec::new() }
    }

    /// Adds a line.
    pub fn line(&mut self, class: &'static str, from: (i32, i32), to: (i32, i32)) {
        self.shapes.push(Shape::Line { class, from, to });
    }

    /// Adds a rectangle.
    pub fn rectangle(&mut self, class: &'static str, at: (i32, i32), size: (i32, i32)) {
        self.shapes.push(Shape::Rectangle { class, at, size });
    }

    /// Adds text in the middle of a place.
    pub fn text(&mut self, class: &'static str, at: (i32, i32), text: impl Into<String>) {
        self.shapes.push(Shape::Text { class, at, anchor: "middle", text: text.into() });
    }

    /// Adds text that starts or ends at a place.
    pub fn text_at(&mut self, class: &'static str, anchor: &'static str, at: (i32, i32), text: impl Into<String>) {
        self.shapes.push(Shape::Text { class, at, anchor, text: text.into() });
    }

    /// Adds a number.
    pub fn badge(&mut self, at: (i32, i32), number: usize) {
        self.shapes.push(Shape::Badge { at, number });
    }
}

/// The text, or its beginning where it is longer than so many characters.
pub fn shortened(text: &str, most: usize) -> String {
    if text.chars().count() <= most {
        return text.to_owned();
    }
    let kept: String = text.chars().take(most.saturating_sub(1)).collect();
    format!("{kept}…")
}
