namespace Raven.Scripting.Runtime;

/// <summary>
/// Text, flat or a rope: joining two long strings makes a node, and the characters are copied once, when they are read.
/// So <c>s += x</c> in a loop is linear. A long text of a document also becomes a string only when it is read; one that
/// a script only passes on never does.
/// </summary>
internal sealed class JsString : HeapValue
{
    /// <summary>Shorter results are copied immediately: a node would be larger.</summary>
    private const int RopeLengthMin = 48;

    internal static readonly JsString Empty = new("");

    private static readonly JsString[] Characters = BuildCharacters();

    private string? _flat;
    private JsString? _left;
    private JsString? _right;
    private int _length;

    internal JsString(string text)
        : base(ValueKind.String)
    {
        _flat = text;
        _length = text.Length;
    }

    internal JsString(StoredText stored)
        : base(ValueKind.String)
    {
        _source = stored;
        _length = -1;
    }

    private JsString(JsString left, JsString right)
        : base(ValueKind.String)
    {
        _left = left;
        _right = right;
        _length = left.Length + right.Length;
    }

    internal int Length => _length >= 0 ? _length : Flat.Length;

    /// <summary>Whether it has no characters.</summary>
    internal bool IsEmpty => _length == 0;

    /// <summary>The text of a document that it stands for; null if it is no long one.</summary>
    internal StoredText? Stored => _source as StoredText;

    internal string Flat => _flat ?? Flatten();

    internal static JsString Of(string text) => text.Length switch
    {
        0 => Empty,
        1 when text[0] < Characters.Length => Characters[text[0]],
        _ => new JsString(text),
    };

    internal static JsString Of(char c) => c < Characters.Length ? Characters[c] : new JsString(c.ToString());

    /// <summary>Joins two strings. The caller has checked the length against the run's limit.</summary>
    internal static JsString Concat(Run run, JsString left, JsString right)
    {
        if (left.Length == 0)
        {
            return right;
        }

        if (right.Length == 0)
        {
            return left;
        }

        long length = (long)left.Length + right.Length;
        run.CheckStringLength(length);
        if (length < RopeLengthMin)
        {
            run.ChargeBytes(48 + ((int)length * 2));
            return new JsString(string.Concat(left.Flat, right.Flat));
        }

        run.ChargeBytes(56);
        return new JsString(left, right) { _source = run };
    }

    /// <inheritdoc/>
    public override string ToString() => Flat;

    /// <summary>The run that is charged for the copy when the rope is read, or the text of a document.</summary>
    private object? _source;

    private string Flatten()
    {
        if (_source is StoredText stored)
        {
            // It is still known to be stored: it can be passed on in its stored form.
            _flat = stored.ToText();
            _length = _flat.Length;
            return _flat;
        }

        var owner = (Run)_source!;
        owner.ChargeBytes((Length * 2) + 24);
        owner.ChargeText(Length);
        string flat = string.Create(Length, this, static (target, rope) => rope.CopyTo(target));
        _flat = flat;
        (_left, _right, _source) = (null, null, null);
        return flat;
    }

    /// <summary>Writes from the end to the start, so that the usual rope, deep on its left, needs no stack.</summary>
    private void CopyTo(Span<char> target)
    {
        Stack<JsString> pending = new();
        pending.Push(this);
        int end = target.Length;
        while (pending.TryPop(out JsString? part))
        {
            while (part._right is { } right)
            {
                pending.Push(part._left!);
                part = right;
            }

            end -= part.Length;
            part.Flat.CopyTo(target[end..]);
        }
    }

    private static JsString[] BuildCharacters()
    {
        JsString[] characters = new JsString[256];
        for (int c = 0; c < characters.Length; c++)
        {
            characters[c] = new JsString(string.Intern(((char)c).ToString()));
        }

        return characters;
    }
}
