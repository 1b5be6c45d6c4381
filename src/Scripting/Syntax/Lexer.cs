using System.Globalization;
using System.Text;
using Raven.Scripting.Text;

namespace Raven.Scripting.Syntax;

/// <summary>
/// Reads tokens out of UTF-16 text, one ahead. Whether a slash divides or opens a regular expression, and whether a
/// brace closes a block or a template's hole, only the parser knows: it rescans.
/// </summary>
internal sealed class Lexer : LexerCore
{
    private readonly HashSet<string> _names = new(StringComparer.Ordinal);
    private readonly HashSet<string>.AlternateLookup<ReadOnlySpan<char>> _namesBySpan;

    internal Lexer(string text)
        : base(text)
    {
        _namesBySpan = _names.GetAlternateLookup<ReadOnlySpan<char>>();
    }

    /// <summary>The next token. A slash is a division.</summary>
    internal void Next(out Token token)
    {
        token = default;
        token.NewlineBefore = SkipBlanks();
        token.Start = Position;
        if (Position >= Source.Length)
        {
            token.Kind = TokenKind.EndOfFile;
            token.End = Position;
            return;
        }

        char c = Source[Position];
        if (CharacterClass.IsIdentifierStart(c) || c == '\\')
        {
            ReadName(ref token);
        }
        else if (c == '#' && (CharacterClass.IsIdentifierStart(Peek(1)) || Peek(1) == '\\'))
        {
            Position++;
            ReadName(ref token);
            token.Kind = TokenKind.PrivateName;
            token.Text = Intern("#" + token.Text);
        }
        else if (char.IsAsciiDigit(c) || (c == '.' && char.IsAsciiDigit(Peek(1))))
        {
            token.Kind = TokenKind.Number;
            token.Number = ReadNumber(ref token);
        }
        else if (c is '"' or '\'')
        {
            ReadString(ref token, c);
        }
        else if (c == '`')
        {
            Position++;
            ReadTemplatePart(ref token);
        }
        else
        {
            token.Kind = Punctuators.Read(Source.AsSpan(Position), out int length);
            if (length == 0)
            {
                throw Error($"Unexpected character '{Printable(c)}'", Position);
            }

            Position += length;
        }

        token.End = Position;
    }

    /// <summary>Reads a regular expression whose slash is the token that was read last.</summary>
    internal void RescanAsRegExp(ref Token token)
    {
        Position = token.Start + 1;
        bool inClass = false;
        while (true)
        {
            char c = Current;
            if (Position >= Source.Length || CharacterClass.IsLineEnd(c))
            {
                throw Error("The regular expression does not end", token.Start);
            }

            if (c == '\\' && Position + 1 < Source.Length && !CharacterClass.IsLineEnd(Peek(1)))
            {
                Position++;
            }
            else if (c == '[')
            {
                inClass = true;
            }
            else if (c == ']')
            {
                inClass = false;
            }
            else if (c == '/' && !inClass)
            {
                break;
            }

            Position++;
        }

        token.Kind = TokenKind.RegExp;
        token.Text = Source[(token.Start + 1)..Position];
        int flags = ++Position;
        while (CharacterClass.IsIdentifierPart(Current))
        {
            Position++;
        }

        token.Raw = Source[flags..Position];
        token.End = Position;
    }

    /// <summary>Continues a template behind the brace that closes a hole, the token that was read last.</summary>
    internal void RescanAsTemplate(ref Token token)
    {
        Position = token.Start + 1;
        ReadTemplatePart(ref token);
        token.End = Position;
    }

    private static string Printable(char c) =>
        c is < ' ' or > '~' ? "\\u" + ((int)c).ToString("X4", CultureInfo.InvariantCulture) : c.ToString();

    private bool SkipBlanks()
    {
        bool newline = Position == 0;
        while (Position < Source.Length)
        {
            char c = Source[Position];
            if (CharacterClass.IsLineEnd(c))
            {
                newline = true;
                Position++;
            }
            else if (CharacterClass.IsSpace(c))
            {
                Position++;
            }
            else if (c == '/' && Peek(1) == '/')
            {
                SkipLine();
            }
            else if (c == '/' && Peek(1) == '*')
            {
                newline |= SkipComment();
            }
            else
            {
                break;
            }
        }

        return newline;
    }

    private void SkipLine()
    {
        while (Position < Source.Length && !CharacterClass.IsLineEnd(Source[Position]))
        {
            Position++;
        }
    }

    private bool SkipComment()
    {
        int start = Position;
        int end = Source.IndexOf("*/", Position + 2, StringComparison.Ordinal);
        if (end < 0)
        {
            throw Error("The comment does not end", start);
        }

        Position = end + 2;
        return Source.AsSpan(start, end - start).IndexOfAny("\n\r\u2028\u2029") >= 0;
    }

    private void ReadName(ref Token token)
    {
        int start = Position;
        while (CharacterClass.IsIdentifierPart(Current))
        {
            Position++;
        }

        if (Current == '\\')
        {
            Position = start;
            token.Text = ReadEscapedName();
            token.Escaped = true;
            token.Kind = TokenKind.Identifier;
            return;
        }

        ReadOnlySpan<char> name = Source.AsSpan(start, Position - start);
        token.Kind = Keywords.Find(name);
        token.Text = Intern(name);
    }

    private string ReadEscapedName()
    {
        StringBuilder name = new();
        while (true)
        {
            char c = Current;
            if (c == '\\')
            {
                int start = Position++;
                int code = Current == 'u' ? ReadUnicodeEscape() : -1;
                if (code is < 0 or > 0xFFFF || !(name.Length == 0
                    ? CharacterClass.IsIdentifierStart((char)code) : CharacterClass.IsIdentifierPart((char)code)))
                {
                    throw Error("This escape is not part of a name", start);
                }

                name.Append((char)code);
            }
            else if (CharacterClass.IsIdentifierPart(c))
            {
                name.Append(c);
                Position++;
            }
            else
            {
                return Intern(name.ToString());
            }
        }
    }

    /// <summary>
    /// One instance for each name, the runtime's own if it has one: property names compare by reference first.
    /// </summary>
    private string Intern(ReadOnlySpan<char> name)
    {
        if (!_namesBySpan.TryGetValue(name, out string? known))
        {
            known = name.ToString();
            known = string.IsInterned(known) ?? known;
            _names.Add(known);
        }

        return known;
    }

    private void ReadString(ref Token token, char quote)
    {
        token.Kind = TokenKind.String;
        int start = Position++;
        int run = Source.AsSpan(Position).IndexOfAny([quote, '\\', '\n', '\r']);
        if (run >= 0 && Source[Position + run] == quote)
        {
            token.Text = Intern(Source.AsSpan(Position, run));
            Position += run + 1;
            return;
        }

        StringBuilder value = new();
        while (true)
        {
            char c = Current;
            if (Position >= Source.Length || c is '\n' or '\r')
            {
                throw Error("The string does not end", start);
            }

            Position++;
            if (c == quote)
            {
                break;
            }

            if (c != '\\')
            {
                value.Append(c);
            }
            else if (!ReadEscape(ref token, value, inTemplate: false))
            {
                throw Error("This escape is not valid", Position);
            }
        }

        token.Escaped = true;
        token.Text = Intern(value.ToString());
    }

    private void ReadTemplatePart(ref Token token)
    {
        token.Kind = TokenKind.Template;
        int start = Position;
        StringBuilder value = new();
        bool valid = true;
        while (true)
        {
            if (Position >= Source.Length)
            {
                throw Error("The template does not end", token.Start);
            }

            char c = Source[Position++];
            if (c == '`' || (c == '$' && Current == '{'))
            {
                break;
            }

            if (c == '\\')
            {
                valid &= ReadEscape(ref token, value, inTemplate: true);
                continue;
            }

            if (c == '\r')
            {
                Position += Current == '\n' ? 1 : 0;
                c = '\n';
            }

            value.Append(c);
        }

        token.TemplateTail = Source[Position - 1] == '`';
        token.Raw = Source[start..(Position - 1)].ReplaceLineEndings("\n");
        token.Text = valid ? value.ToString() : null;
        Position += token.TemplateTail ? 0 : 1;
    }
}
