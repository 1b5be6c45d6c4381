using Raven.Blittable.Reading;
using Raven.Scripting.Runtime;
using StoredKind = Raven.Blittable.Format.ValueKind;

namespace Raven.Scripting.Documents;

/// <summary>
/// An array of a stored document, seen by a script. Elements are read on access; elements that the script set or read
/// as objects are kept by index, and those that it pushed in a separate list. Any other change first turns it into an
/// array of the script.
/// </summary>
internal sealed class DocumentArray : JsObject
{
    /// <summary>Longer arrays keep their elements in a dictionary.</summary>
    private const int ListedMax = 32;

    /// <summary>An array of as many values as there are elements, or a dictionary by index.</summary>
    private object? _elements;

    private JsValue[]? _pushed;
    private int _pushedCount;
    private JsArray? _own;

    internal DocumentArray(JsObject prototype, BlittableArray source)
        : base(prototype, ObjectClass.Document)
    {
        Source = source;
        Flags = ObjectFlags.Exotic;
    }

    internal BlittableArray Source { get; }

    internal int Count => _own?.Count ?? Source.Count + _pushedCount;

    /// <summary>The elements as an array of the script; null while the stored ones are valid.</summary>
    internal JsArray? Own => _own;

    internal override JsValue GetIndex(Run run, uint index)
    {
        if (_own is not null)
        {
            return _own.GetIndex(run, index);
        }

        if (index >= (uint)Source.Count)
        {
            uint at = index - (uint)Source.Count;
            return at < (uint)_pushedCount ? _pushed![at] : JsValue.Undefined;
        }

        if (TryFind((int)index, out JsValue kept))
        {
            return kept;
        }

        JsValue value = DocumentValues.ToValue(run, Source[(int)index]);
        if (value.IsObject)
        {
            Keep(run, (int)index, value);
        }

        return value;
    }

    internal override bool SetIndex(Run run, uint index, JsValue value)
    {
        if (_own is null && index < (uint)Source.Count)
        {
            Keep(run, (int)index, value);
            return true;
        }

        if (_own is null && index == (uint)Count)
        {
            Push(run, value);
            return true;
        }

        return Materialize(run).SetIndex(run, index, value);
    }

    internal void Push(Run run, JsValue value)
    {
        if (_own is not null)
        {
            if (!_own.TryPush(run, value))
            {
                throw run.TypeError("Cannot add property, object is not extensible");
            }

            return;
        }

        run.CheckArrayLength((long)Count + 1);
        if (_pushed is null || _pushedCount == _pushed.Length)
        {
            run.ChargeBytes(24 + (32 * Math.Max(1, _pushedCount)));
            Array.Resize(ref _pushed, Math.Max(2, _pushedCount * 2));
        }

        _pushed[_pushedCount++] = value;
    }

    /// <summary>All elements in an array that can be changed freely. From then on that array is used.</summary>
    internal JsArray Materialize(Run run)
    {
        if (_own is null)
        {
            JsArray own = run.NewArray(Count);
            for (int i = 0; i < Count; i++)
            {
                run.Step();
                own.Add(run, GetIndex(run, (uint)i));
            }

            _own = own;
            (_elements, _pushed, _pushedCount) = (null, null, 0);
        }

        return _own;
    }

    internal override bool TryGetOwn(Run run, object key, out Property property)
    {
        if (key is string name)
        {
            if (_own is not null && (name == "length" || PropertyKeys.TryIndex(name, out _)))
            {
                return _own.TryGetOwn(run, key, out property);
            }

            if (name == "length")
            {
                property = new Property(new JsValue(Count), PropertyFlags.Writable);
                return true;
            }

            if (PropertyKeys.TryIndex(name, out uint index))
            {
                bool there = index < (uint)Count;
                property = there ? new Property(GetIndex(run, index), PropertyFlags.All) : default;
                return there;
            }
        }

        return base.TryGetOwn(run, key, out property);
    }

    internal override bool PutOwn(Run run, object key, JsValue value)
    {
        if (key is string name)
        {
            if (PropertyKeys.TryIndex(name, out uint index))
            {
                return SetIndex(run, index, value);
            }

            if (name == "length")
            {
                return Materialize(run).PutOwn(run, key, value);
            }
        }

        return base.PutOwn(run, key, value);
    }

    internal override bool Define(Run run, object key, JsValue value, PropertyFlags flags) =>
        key is string name && (name == "length" || PropertyKeys.TryIndex(name, out _))
            ? Materialize(run).Define(run, key, value, flags) : base.Define(run, key, value, flags);

    internal override bool Delete(Run run, object key) =>
        key is string name && (name == "length" || PropertyKeys.TryIndex(name, out _))
            ? Materialize(run).Delete(run, key) : base.Delete(run, key);

    internal override void AddOwnKeys(Run run, List<object> keys)
    {
        if (_own is not null)
        {
            _own.AddOwnKeys(run, keys);
            return;
        }

        run.ChargeSteps(Count);
        run.ChargeBytes(Count * 16L);
        for (int i = 0; i < Count; i++)
        {
            keys.Add(PropertyKeys.OfIndex((uint)i));
        }

        keys.Add("length");
        base.AddOwnKeys(run, keys);
    }

    internal override void Restrict(Run run, bool frozen)
    {
        Materialize(run).Restrict(run, frozen);
        Flags |= ObjectFlags.NotExtensible;
    }

    /// <summary>Whether its written form would differ from the stored one.</summary>
    internal bool IsChanged(Run run)
    {
        run.CheckStack();
        if (_own is not null)
        {
            return !DocumentValues.Same(run, new JsValue(_own), Source.AsValue());
        }

        if (_pushedCount > 0)
        {
            return true;
        }

        return _elements is JsValue[] listed ? AnyChanged(run, listed)
            : _elements is Dictionary<int, JsValue> kept && AnyChanged(run, kept);
    }

    private bool AnyChanged(Run run, JsValue[] listed)
    {
        for (int i = 0; i < listed.Length; i++)
        {
            if (!listed[i].IsEmpty && !DocumentValues.Same(run, listed[i], Source[i]))
            {
                return true;
            }
        }

        return false;
    }

    private bool AnyChanged(Run run, Dictionary<int, JsValue> kept)
    {
        foreach ((int index, JsValue value) in kept)
        {
            if (!DocumentValues.Same(run, value, Source[index]))
            {
                return true;
            }
        }

        return false;
    }

    /// <summary>An element that the script set or read as an object; false if the stored one is valid.</summary>
    internal bool TryGetKept(int index, out JsValue value)
    {
        if (index >= Source.Count)
        {
            value = _pushed![index - Source.Count];
            return true;
        }

        return TryFind(index, out value);
    }

    /// <summary>
    /// Stored numbers whose double is written differently (1.50), by their double: an array that was changed as a whole
    /// keeps the spelling of those that are still in it.
    /// </summary>
    internal Dictionary<double, BlittableValue> SpelledNumbers()
    {
        Dictionary<double, BlittableValue> spelled = [];
        for (int i = 0; i < Source.Count; i++)
        {
            BlittableValue stored = Source[i];
            if (stored.Kind is StoredKind.Integer or StoredKind.Number && !DocumentValues.RoundTrips(stored)
                && DocumentValues.ToDouble(stored) is double number && ExactNumber.IsHeld(stored, number))
            {
                spelled.TryAdd(number, stored);
            }
        }

        return spelled;
    }

    private bool TryFind(int index, out JsValue value)
    {
        if (_elements is JsValue[] listed)
        {
            value = listed[index];
            return !value.IsEmpty;
        }

        value = default;
        return _elements is Dictionary<int, JsValue> kept && kept.TryGetValue(index, out value);
    }

    private void Keep(Run run, int index, JsValue value)
    {
        if (Source.Count > ListedMax)
        {
            run.ChargeBytes(60);
            ((Dictionary<int, JsValue>)(_elements ??= new Dictionary<int, JsValue>()))[index] = value;
            return;
        }

        if (_elements is null)
        {
            run.ChargeBytes(24 + (16 * Source.Count));
            JsValue[] fresh = new JsValue[Source.Count];
            Array.Fill(fresh, JsValue.Empty);
            _elements = fresh;
        }

        ((JsValue[])_elements)[index] = value;
    }
}
