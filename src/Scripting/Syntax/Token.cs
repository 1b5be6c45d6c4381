namespace Raven.Scripting.Syntax;

/// <summary>One token: its place and its meaning.</summary>
internal struct Token
{
    internal TokenKind Kind;

    /// <summary>Offset of the first UTF-16 unit.</summary>
    internal int Start;

    /// <summary>Offset behind the last UTF-16 unit.</summary>
    internal int End;

    /// <summary>A line ended between the token before and this one.</summary>
    internal bool NewlineBefore;

    /// <summary>An identifier or string that was written with an escape: it is no keyword and no directive.</summary>
    internal bool Escaped;

    /// <summary>The template part ends the template.</summary>
    internal bool TemplateTail;

    /// <summary>A string or template part with a legacy octal escape, refused in strict code.</summary>
    internal bool LegacyOctal;

    /// <summary>
    /// Name, string value, regular expression body, or a template part; null for a part that has no value.
    /// </summary>
    internal string? Text;

    /// <summary>A template part as written, or the flags of a regular expression.</summary>
    internal string? Raw;

    internal double Number;
}
