using System.Buffers;
using Raven.Blittable.Json;
using Raven.Documents.Indexing.Definitions;
using Raven.Search.Fields;

namespace Raven.Documents.Indexing.Maps;

/// <summary>A field, with the values that the current entry stores of it.</summary>
internal sealed class SearchField(string name, IndexFieldOptions options, FieldMapping mapping)
    : MapField(name, options)
{
    private readonly ArrayBufferWriter<byte>? _values = options.IsStored == true ? new(64) : null;
    private int _count;
    private int _depth;
    private bool _isList;
    private bool _isBehindOther;

    internal FieldMapping Mapping { get; } = mapping;

    internal SpatialFieldOptions Shapes { get; } = options.Shapes;

    internal int BatchNumber { get; set; }

    internal IndexField? Target { get; set; }

    internal SearchField? Vectors { get; set; }

    /// <summary>Stores a value, if the field is stored.</summary>
    internal void Store<TValue>(TValue value)
        where TValue : struct, IFieldValue, allows ref struct
    {
        if (_values is not null)
        {
            Separate();
            var json = new JsonOutput(_values);
            value.WriteTo(ref json);
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

    internal void EndList()
    {
        if (_values is not null && --_depth > 0)
        {
            _values.Write("]"u8);
            _isBehindOther = true;
        }
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
