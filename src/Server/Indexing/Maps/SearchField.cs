using System.Buffers;
using Raven.Blittable.Json;
using Raven.Blittable.Reading;
using Raven.Search.Fields;
using Raven.Server.Indexing.Definitions;

namespace Raven.Server.Indexing.Maps;

/// <summary>A field, with the values that the current entry stores of it.</summary>
internal sealed class SearchField(string name, IndexFieldOptions options, FieldKeeping keeping)
    : MapField(name, options)
{
    private readonly ArrayBufferWriter<byte>? _values = options.IsStored == true ? new(64) : null;
    private int _count;
    private int _depth;
    private bool _isList;
    private bool _isBehindOther;

    internal FieldKeeping Keeping { get; } = keeping;

    internal SpatialFieldOptions Shapes { get; } = options.Shapes;

    internal int BatchNumber { get; set; }

    internal IndexField? Target { get; set; }

    internal SearchField? Vectors { get; set; }

    /// <summary>Stores a text, if the field is stored.</summary>
    internal void Store(ReadOnlySpan<byte> text)
    {
        if (_values is not null)
        {
            JsonOutput json = BeginValue();
            json.String(text);
            json.Flush();
        }
    }

    /// <summary>Stores a whole number, if the field is stored.</summary>
    internal void Store(long value)
    {
        if (_values is not null)
        {
            JsonOutput json = BeginValue();
            json.Number(value);
            json.Flush();
        }
    }

    /// <summary>Stores a number, if the field is stored.</summary>
    internal void Store(double value)
    {
        if (_values is not null)
        {
            JsonOutput json = BeginValue();
            json.Number(value);
            json.Flush();
        }
    }

    /// <summary>Stores true or false, if the field is stored.</summary>
    internal void Store(bool value)
    {
        if (_values is not null)
        {
            JsonOutput json = BeginValue();
            json.Boolean(value);
            json.Flush();
        }
    }

    /// <summary>Stores a value exactly, digit by digit, if the field is stored.</summary>
    internal void Store(BlittableValue value)
    {
        if (_values is not null)
        {
            JsonOutput json = BeginValue();
            json.Value(value);
            json.Flush();
        }
    }

    /// <summary>Stores null, if the field is stored.</summary>
    internal void StoreNull()
    {
        if (_values is not null)
        {
            JsonOutput json = BeginValue();
            json.Null();
            json.Flush();
        }
    }

    /// <summary>Begins a list. Its items are values of the field beside others that it may have; a list within it is
    /// one value.</summary>
    internal void BeginList()
    {
        if (_values is null)
        {
            return;
        }

        if (_depth++ == 0)
        {
            _isList = true;
            return;
        }

        Separate();
        _values.Write("["u8);
        _isBehindOther = false;
    }

    /// <summary>Ends a list.</summary>
    internal void EndList()
    {
        if (_values is not null && --_depth > 0)
        {
            _values.Write("]"u8);
            _isBehindOther = true;
        }
    }

    private JsonOutput BeginValue()
    {
        Separate();
        return new JsonOutput(_values!);
    }

    private void Separate()
    {
        if (_isBehindOther)
        {
            _values!.Write(","u8);
        }

        _isBehindOther = true;
        _count++;
    }

    /// <summary>Writes the property of the field with its stored values.</summary>
    /// <returns>False if there are none.</returns>
    internal bool WriteTo(ArrayBufferWriter<byte> target, bool isFirst)
    {
        if (_count == 0)
        {
            return false;
        }

        if (!isFirst)
        {
            target.Write(","u8);
        }

        var json = new JsonOutput(target);
        json.String(Name.AsSpan());
        json.Flush();
        bool isList = _isList || _count > 1;
        target.Write(isList ? ":["u8 : ":"u8);
        target.Write(_values!.WrittenSpan);
        target.Write(isList ? "]"u8 : ""u8);
        return true;
    }

    internal void Clear()
    {
        _count = 0;
        _depth = 0;
        _isList = false;
        _isBehindOther = false;
        _values!.ResetWrittenCount();
    }
}
