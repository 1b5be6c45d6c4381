using System.Diagnostics.CodeAnalysis;

namespace Raven.Documents.Queries.Rql;

/// <summary>The tokens of a query, with a look ahead of two.</summary>
internal sealed class RqlReader
{
    private readonly RqlLexer _lexer;
    private RqlToken? _next;

    internal RqlReader(string text)
    {
        _lexer = new RqlLexer(text);
        Current = _lexer.Next();
    }

    internal RqlToken Current { get; private set; }

    internal RqlToken Peek() => _next ??= _lexer.Next();

    internal RqlToken Take()
    {
        RqlToken taken = Current;
        Current = _next ?? _lexer.Next();
        _next = null;
        return taken;
    }

    internal bool TryTakeWord(string word)
    {
        if (!Current.IsWord(word))
        {
            return false;
        }

        Take();
        return true;
    }

    internal bool TryTakeSign(char sign)
    {
        if (!Current.IsSign(sign))
        {
            return false;
        }

        Take();
        return true;
    }

    internal void TakeSign(char sign, string after)
    {
        if (!TryTakeSign(sign))
        {
            Fail($"expected '{sign}' {after}");
        }
    }

    internal void TakeWord(string word, string after)
    {
        if (!TryTakeWord(word))
        {
            Fail($"expected '{word}' {after}");
        }
    }

    internal string TakeName(string what)
    {
        if (Current.Kind != RqlTokenKind.Name)
        {
            Fail($"expected {what}");
        }

        return Take().Text;
    }

    /// <summary>Takes the name after 'as', which may be in quotes.</summary>
    internal string TakeAlias() =>
        Current.Kind == RqlTokenKind.Text ? Take().Text : TakeName("an alias after 'as'");

    /// <summary>Takes the text from the current brace to the one that closes it.</summary>
    internal RqlScript TakeScript(string what)
    {
        if (!Current.IsSign('{'))
        {
            Fail($"expected '{{' and {what}");
        }

        int start = Current.Position;
        _next = null;
        string script = _lexer.TakeScript(start);
        Current = _lexer.Next();
        return new RqlScript(start, script);
    }

    [DoesNotReturn]
    internal void Fail(string problem) =>
        throw new RqlException(_lexer.Text, Current.Position, $"{problem}, found {Current.Described}");

    [DoesNotReturn]
    internal void FailAt(int position, string problem) => throw new RqlException(_lexer.Text, position, problem);
}
