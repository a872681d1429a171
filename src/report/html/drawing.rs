//! A drawing as a list of shapes, which a template writes as SVG. Units are CSS pixels; colours are
//! the page's.

use askama::Template;

/// The width of every drawing: it fits a narrow screen.
pub const WIDTH: i32 = 360;

/// A drawing.
#[derive(Template)]
#[template(path = "drawing.svg")]
pub struct Drawing {
    /// The identifier that distinguishes this drawing's elements from those of others on the page.
    pub id: String,
    /// The height.
    pub height: i32,
    /// The title, in a few words.
    pub title: String,
    /// The description, for readers who cannot see the drawing.
    pub description: String,
    /// The shapes, the lowest first.
    pub shapes: Vec<Shape>,
}

/// A shape of a drawing. The class determines its style (style.css).
pub enum Shape {
    /// A line.
    Line { class: &'static str, from: (i32, i32), to: (i32, i32) },
    /// A rectangle: its upper left corner, its width and height.
    Rectangle { class: &'static str, at: (i32, i32), size: (i32, i32) },
    /// Text on a line. The anchor is the start, the middle or the end of the text.
    Text { class: &'static str, at: (i32, i32), anchor: &'static str, text: String },
    /// An access's number: a circle for the first thread, a square for the second.
    Badge { at: (i32, i32), number: usize },
}

impl Drawing {
    /// An empty drawing.
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

    /// Adds text centred at a place.
    pub fn text(&mut self, class: &'static str, at: (i32, i32), text: impl Into<String>) {
        self.shapes.push(Shape::Text { class, at, anchor: "middle", text: text.into() });
    }

    /// Adds text that starts or ends at a place.
    pub fn text_at(&mut self, class: &'static str, anchor: &'static str, at: (i32, i32), text: impl Into<String>) {
        self.shapes.push(Shape::Text { class, at, anchor, text: text.into() });
    }

    /// Adds the badge of an access.
    pub fn badge(&mut self, at: (i32, i32), number: usize) {
        self.shapes.push(Shape::Badge { at, number });
    }
}

/// The text, or its beginning if it has more than `most` characters.
pub fn shortened(text: &str, most: usize) -> String {
    if text.chars().count() <= most {
        return text.to_owned();
    }
    let kept: String = text.chars().take(most.saturating_sub(1)).collect();
    format!("{kept}…")
}
