using System.Text;

namespace Raven.Client.Documents.Queries;

/// <summary>The conditions of a query in the order of their calls, with what joins them.</summary>
internal sealed class ConditionList
{
    private readonly List<Part> _parts;
    private int _depth;
    private bool _isNegated;

    internal ConditionList() => _parts = [];

    private ConditionList(ConditionList other)
    {
        _parts = [.. other._parts];
        _depth = other._depth;
        _isNegated = other._isNegated;
        Joiner = other.Joiner;
    }

    private enum Kind
    {
        Condition,
        Open,
        Close,
        Join,
        Not,
        Separator,
    }

    /// <summary>The operator between conditions if none is given.</summary>
    internal QueryOperator Joiner { get; set; }

    internal bool IsEmpty => _parts.Count == 0;

    private bool IsBehindCondition => _parts.Count > 0 && _parts[^1].Kind is Kind.Condition or Kind.Close;

    internal ConditionList Copy() => new(this);

    internal void Add(string condition, ConditionForm form = ConditionForm.Plain)
    {
        BeginTerm();
        _parts.Add(new Part(Kind.Condition, condition, form));
    }

    /// <summary>Joins the next conditions to those so far.</summary>
    internal void Join(QueryOperator joiner, bool wrapsAll)
    {
        if (!IsBehindCondition)
        {
            throw new InvalidOperationException("AndAlso and OrElse stand between two conditions.");
        }

        if (wrapsAll)
        {
            if (_depth > 0)
            {
                throw new InvalidOperationException("What comes before cannot be wrapped inside of a subclause.");
            }

            string all = Text(_parts);
            _parts.Clear();
            _parts.Add(new Part(Kind.Condition, $"({all})", ConditionForm.Plain));
        }

        _parts.Add(new Part(Kind.Join, joiner == QueryOperator.And ? "and" : "or", ConditionForm.Plain));
    }

    /// <summary>Negates the next condition.</summary>
    internal void Negate() => _isNegated = !_isNegated;

    internal void Open()
    {
        BeginTerm();
        _parts.Add(new Part(Kind.Open, "(", ConditionForm.Plain));
        _depth++;
    }

    internal void Close()
    {
        if (_depth == 0 || !IsBehindCondition)
        {
            throw new InvalidOperationException("CloseSubclause stands behind a condition in an open subclause.");
        }

        _parts.Add(new Part(Kind.Close, ")", ConditionForm.Plain));
        _depth--;
    }

    /// <summary>Ends a group of conditions, all of which a document must meet.</summary>
    internal void Separate()
    {
        if (_depth > 0 || !IsBehindCondition)
        {
            throw new InvalidOperationException("Intersect stands between two conditions, outside of subclauses.");
        }

        _parts.Add(new Part(Kind.Separator, ",", ConditionForm.Plain));
    }

    /// <summary>Replaces the last condition, or the last subclause, by a wrapped one.</summary>
    /// <param name="call">The call that requires it, for the error.</param>
    /// <param name="form">The form that the condition must have; null for any.</param>
    /// <param name="wrap">Makes the new one.</param>
    internal void WrapLast(string call, ConditionForm? form, Func<string, string> wrap)
    {
        int first = FirstOfLast();
        if (first < 0 || (form is { } needed && _parts[first].Form != needed))
        {
            throw new InvalidOperationException(form switch
            {
                ConditionForm.Equal => $"{call} stands behind WhereEquals of a text.",
                ConditionForm.Search => $"{call} stands behind Search.",
                _ => $"{call} stands behind a condition.",
            });
        }

        List<Part> last = _parts[first..];
        string text = last[0].Kind == Kind.Open ? Text(last[1..^1]) : last[0].Text;
        _parts.RemoveRange(first, last.Count);
        _parts.Add(new Part(Kind.Condition, wrap(text), ConditionForm.Plain));
    }

    /// <summary>The text of all conditions; null if there are none.</summary>
    internal string? ToText()
    {
        if (_parts.Count == 0)
        {
            return null;
        }

        if (_depth > 0 || !IsBehindCondition)
        {
            throw new InvalidOperationException($"The conditions are not complete: {Text(_parts)}");
        }

        return _parts.Exists(part => part.Kind == Kind.Separator) ? $"intersect({Text(_parts)})" : Text(_parts);
    }

    private static string Text(List<Part> parts)
    {
        var text = new StringBuilder();
        Kind before = Kind.Open;
        foreach (Part part in parts)
        {
            if (before != Kind.Open && part.Kind is not (Kind.Close or Kind.Separator))
            {
                text.Append(' ');
            }

            text.Append(part.Text);
            before = part.Kind;
        }

        return text.ToString();
    }

    private int FirstOfLast()
    {
        if (!IsBehindCondition)
        {
            return -1;
        }

        int open = 0;
        for (int i = _parts.Count - 1; i >= 0; i--)
        {
            open += _parts[i].Kind switch
            {
                Kind.Close => 1,
                Kind.Open => -1,
                _ => 0,
            };
            if (open == 0)
            {
                return i;
            }
        }

        return -1;
    }

    private void BeginTerm()
    {
        if (IsBehindCondition)
        {
            Join(Joiner, wrapsAll: false);
        }

        if (!_isNegated)
        {
            return;
        }

        // RQL does not let a clause begin with "not".
        if (_parts.Count == 0 || _parts[^1].Kind is Kind.Open or Kind.Separator)
        {
            _parts.Add(new Part(Kind.Condition, "true", ConditionForm.Plain));
            _parts.Add(new Part(Kind.Join, "and", ConditionForm.Plain));
        }

        _parts.Add(new Part(Kind.Not, "not", ConditionForm.Plain));
        _isNegated = false;
    }

    private readonly record struct Part(Kind Kind, string Text, ConditionForm Form);
}
