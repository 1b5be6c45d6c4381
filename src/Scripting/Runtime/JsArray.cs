using System.Runtime.CompilerServices;

namespace Raven.Scripting.Runtime;

/// <summary>
/// An array, always dense: a hole is an empty value. Its length is limited by the run, so that a script cannot request
/// a billion elements. Elements are plain properties; an accessor on an index is not supported.
/// </summary>
internal sealed class JsArray : JsObject
{
    internal const uint LengthMax = 50_000_000;

    private JsValue[] _items;

    internal JsArray(JsObject prototype, JsValue[] items, int count, ObjectClass objectClass = ObjectClass.Array)
        : base(prototype, objectClass)
    {
        _items = items;
        Count = count;
        Flags = ObjectFlags.Exotic;
    }

    internal int Count { get; private set; }

    /// <summary>The elements; empty values are holes. Valid until the array changes its length.</summary>
    internal Span<JsValue> Items => _items.AsSpan(0, Count);

    private bool IsPlain => (Flags & (ObjectFlags.NotExtensible | ObjectFlags.Frozen | ObjectFlags.Sealed)) == 0;

    internal bool IsFrozen => (Flags & ObjectFlags.Frozen) != 0;

    /// <summary>The element; for a hole, that of the prototypes.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    internal override JsValue GetIndex(Run run, uint index)
    {
        JsValue[] items = _items;
        if (index < (uint)Count && index < (uint)items.Length && !items[index].IsEmpty)
        {
            return items[index];
        }

        return Prototype is null ? JsValue.Undefined
            : Prototype.Get(run, PropertyKeys.OfIndex(index), new JsValue(this));
    }

    internal override bool SetIndex(Run run, uint index, JsValue value)
    {
        if (index < (uint)Count && !IsFrozen && !_items[index].IsEmpty)
        {
            _items[index] = value;
            return true;
        }

        return PutIndex(run, index, value);
    }

    internal void Add(Run run, JsValue value)
    {
        if (Count == _items.Length)
        {
            Reserve(run, (long)Count + 1);
        }

        _items[Count++] = value;
    }

    /// <summary>Adds at the end. False if the array may not grow.</summary>
    internal bool TryPush(Run run, JsValue value)
    {
        if (!IsPlain)
        {
            return false;
        }

        Add(run, value);
        return true;
    }

    internal bool TryPop(out JsValue value)
    {
        value = JsValue.Undefined;
        if (!IsPlain)
        {
            return false;
        }

        if (Count > 0)
        {
            value = _items[--Count];
            value = value.IsEmpty ? JsValue.Undefined : value;
            _items[Count] = default;
        }

        return true;
    }

    /// <summary>Removes and inserts in place. False if the array may not change.</summary>
    internal bool TrySplice(Run run, int start, int deleted, ReadOnlySpan<JsValue> inserted)
    {
        if (!IsPlain)
        {
            return false;
        }

        int moved = Count - start - deleted;
        int count = Count - deleted + inserted.Length;
        if (count > _items.Length)
        {
            Reserve(run, count);
        }

        run.ChargeSteps(moved / 16);
        Array.Copy(_items, start + deleted, _items, start + inserted.Length, moved);
        inserted.CopyTo(_items.AsSpan(start));
        if (count < Count)
        {
            Array.Clear(_items, count, Count - count);
        }

        Count = count;
        return true;
    }

    internal bool TrySetLength(Run run, uint length)
    {
        if (length == Count)
        {
            return true;
        }

        if ((length < Count && (Flags & (ObjectFlags.Sealed | ObjectFlags.Frozen)) != 0) || IsFrozen)
        {
            return false;
        }

        if (length > Count)
        {
            Reserve(run, length);
            _items.AsSpan(Count, (int)length - Count).Fill(JsValue.Empty);
        }
        else
        {
            Array.Clear(_items, (int)length, Count - (int)length);
        }

        Count = (int)length;
        return true;
    }

    internal override bool TryGetOwn(Run run, object key, out Property property)
    {
        if (key is string name)
        {
            if (PropertyKeys.TryIndex(name, out uint index))
            {
                bool there = index < (uint)Count && !_items[index].IsEmpty;
                property = there ? new Property(_items[index], ElementFlags) : default;
                return there;
            }

            if (name == "length")
            {
                property = new Property(
                    new JsValue(Count), IsFrozen ? PropertyFlags.None : PropertyFlags.Writable);
                return true;
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
                return PutIndex(run, index, value);
            }

            if (name == "length")
            {
                return TrySetLength(run, ToLength(run, value));
            }
        }

        return base.PutOwn(run, key, value);
    }

    internal override bool Define(Run run, object key, JsValue value, PropertyFlags flags)
    {
        if (key is not string name || !(name == "length" || PropertyKeys.TryIndex(name, out _)))
        {
            return base.Define(run, key, value, flags);
        }

        if (value.IsAccessor || (flags != PropertyFlags.All && name != "length"))
        {
            throw run.TypeError("Elements of an array are plain: no accessor and no attributes");
        }

        return PutOwn(run, key, value);
    }

    internal override bool Delete(Run run, object key)
    {
        if (key is string name && PropertyKeys.TryIndex(name, out uint index))
        {
            if (index >= (uint)Count || _items[index].IsEmpty)
            {
                return true;
            }

            if ((Flags & (ObjectFlags.Sealed | ObjectFlags.Frozen)) != 0)
            {
                return false;
            }

            _items[index] = JsValue.Empty;
            return true;
        }

        return key is not "length" && base.Delete(run, key);
    }

    internal override void AddOwnKeys(Run run, List<object> keys)
    {
        run.ChargeSteps(Count / 8);
        run.ChargeBytes(Count * 16);
        for (int i = 0; i < Count; i++)
        {
            if (!_items[i].IsEmpty)
            {
                keys.Add(PropertyKeys.OfIndex((uint)i));
            }
        }

        keys.Add("length");
        base.AddOwnKeys(run, keys);
    }

    internal override void Restrict(Run run, bool frozen)
    {
        base.Restrict(run, frozen);
        Flags |= frozen ? ObjectFlags.Sealed | ObjectFlags.Frozen : ObjectFlags.Sealed;
    }

    internal static uint ToLength(Run run, JsValue value)
    {
        double number = Operations.ToNumber(run, value);
        uint length = (uint)number;
        return length == number ? length : throw run.RangeError("Invalid array length");
    }

    private PropertyFlags ElementFlags =>
        IsFrozen ? PropertyFlags.Enumerable
        : (Flags & ObjectFlags.Sealed) != 0 ? PropertyFlags.Enumerable | PropertyFlags.Writable
        : PropertyFlags.All;

    private bool PutIndex(Run run, uint index, JsValue value)
    {
        if (IsFrozen || (Flags & ObjectFlags.Immutable) != 0)
        {
            return false;
        }

        if (index < (uint)Count)
        {
            if (_items[index].IsEmpty && !Extensible)
            {
                return false;
            }
        }
        else
        {
            if (!Extensible)
            {
                return false;
            }

            if (!TrySetLength(run, index + 1))
            {
                return false;
            }
        }

        _items[index] = value;
        return true;
    }

    private void Reserve(Run run, long count)
    {
        run.CheckArrayLength(count);
        if (count <= _items.Length)
        {
            return;
        }

        long most = Math.Min(run.Limits.ArrayLengthMax, LengthMax);
        int capacity = (int)Math.Max(count, Math.Min(Math.Max(4, (long)_items.Length * 2), most));
        run.ChargeBytes(16L * (capacity - _items.Length));
        Array.Resize(ref _items, capacity);
    }
}
