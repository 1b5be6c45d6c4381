using Raven.Scripting.Runtime;


namespace Raven.Scripting.Execution;

/// <summary>
/// Walks the values for for-of, spread and patterns. Arrays and strings are walked directly, as the realm's iterators
/// cannot be changed; other values by their own iterator. A generator keeps it in its frame, so it is a heap value.
/// </summary>
internal sealed class ValueIterator : HeapValue
{
    private readonly JsObject? _array;
    private readonly string? _text;
    private readonly JsObject? _iterator;
    private readonly JsFunction? _next;
    private int _position;

    private ValueIterator(JsObject? array, string? text, JsObject? iterator, JsFunction? next)
        : base(ValueKind.Empty)
    {
        (_array, _text, _iterator, _next) = (array, text, iterator, next);
    }

    /// <summary>
    /// Whether no code of the script runs between two values, so that no iterator has to be closed early.
    /// </summary>
    internal bool IsInternal => _iterator is null;

    internal bool Finished { get; private set; }

    internal static ValueIterator Open(Run run, JsValue source)
    {
        run.ChargeBytes(64);
        if (source.IsObject)
        {
            if (source.Object is Documents.DocumentArray)
            {
                return new ValueIterator(source.Object, null, null, null);
            }

            if (source.Object.Class == ObjectClass.Array && source.Object.HasNoMappedProperty
                && source.Object.Prototype == run.Realm.ArrayPrototype)
            {
                return new ValueIterator(source.Object, null, null, null);
            }
        }
        else if (source.IsString)
        {
            return new ValueIterator(null, source.String.Flat, null, null);
        }

        JsFunction method = (source.IsNullish ? null : run.GetProperty(source, JsSymbol.Iterator).AsFunction)
            ?? throw run.TypeError($"{Describe.Value(source)} is not iterable");
        return OpenBy(run, source, method);
    }

    internal static ValueIterator OpenBy(Run run, JsValue source, JsFunction method)
    {
        JsObject iterator = method.Call(run, source, []).AsObject
            ?? throw run.TypeError("Result of the Symbol.iterator method is not an object");
        JsFunction next = iterator.Get(run, "next").AsFunction ?? throw run.TypeError(
            "iterator.next is not a function");
        return new ValueIterator(null, null, iterator, next);
    }

    internal bool MoveNext(Run run, out JsValue value)
    {
        if (_array is not null)
        {
            if (_position < (_array is JsArray plain ? plain.Count : ((Documents.DocumentArray)_array).Count))
            {
                value = _array.GetIndex(run, (uint)_position++);
                return true;
            }
        }
        else if (_text is not null)
        {
            if (_position < _text.Length)
            {
                value = NextCharacter(run);
                return true;
            }
        }
        else
        {
            return MoveIterator(run, out value);
        }

        Finished = true;
        value = JsValue.Undefined;
        return false;
    }

    /// <summary>Closes the iterator, as no more values are needed.</summary>
    internal void Close(Run run)
    {
        if (Finished || _iterator is null)
        {
            return;
        }

        Finished = true;
        JsValue method = _iterator.Get(run, "return");
        if (method.IsNullish)
        {
            return;
        }

        JsFunction function = method.AsFunction ?? throw run.TypeError("iterator.return is not a function");
        if (!function.Call(run, new JsValue(_iterator), []).IsObject)
        {
            throw run.TypeError("The result of iterator.return is not an object");
        }
    }

    /// <summary>The same during an exception, which takes precedence.</summary>
    internal void CloseQuietly(Run run)
    {
        (int, int) saved = run.SaveDepth();
        try
        {
            Close(run);
        }
        catch (ThrownException)
        {
            // The exception that ended the loop continues; this one is dropped, as the language requires.
            run.RestoreDepth(saved);
        }
    }

    private JsValue NextCharacter(Run run)
    {
        char c = _text![_position++];
        if (char.IsHighSurrogate(c) && _position < _text.Length && char.IsLowSurrogate(_text[_position]))
        {
            return run.NewString(_text.Substring(_position++ - 1, 2));
        }

        return new JsValue(JsString.Of(c));
    }

    private bool MoveIterator(Run run, out JsValue value)
    {
        // An iterator that throws is finished: its return method is not called.
        Finished = true;
        JsObject result = _next!.Call(run, new JsValue(_iterator!), []).AsObject
            ?? throw run.TypeError("Iterator result is not an object");
        if (Operations.ToBoolean(result.Get(run, "done")))
        {
            value = JsValue.Undefined;
            return false;
        }

        value = result.Get(run, "value");
        Finished = false;
        return true;
    }
}
