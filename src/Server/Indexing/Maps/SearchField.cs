using System.Buffers;
using Raven.Blittable.Json;
using Raven.Blittable.Reading;
using Raven.Search.Fields;
using Raven.Server.Indexing.Definitions;

namespace Raven.Server.Indexing.Maps;

/// <summary>A field, and what the entry at hand stores of it.</summary>
internal sealed class SearchField(string name, IndexFieldOptions options, FieldKeeping keeping)
    : MapField(name, options)
{
    private readonly ArrayBufferWriter<byte>? _values = options.IsStored == true ? new(64) : null;
    private int _count;

    internal FieldKeeping Keeping { get; } = keeping;

    internal SpatialFieldOptions Shapes { get; } = options.Shapes;

    internal int BatchNumber { get; set; }

    internal IndexField? Target { get; set; }

    internal SearchField? Vectors { get; set; }

    /// <summary>Stores a text, where the field is stored.</summary>
    internal void Store(ReadOnlySpan<byte> text)
    {
        if (_values is not null)
        {
            JsonOutput json = BeginValue();
            json.String(text);
            json.Flush();
        }
    }

    /// <summary>Stores a whole number, where the field is stored.</summary>
    internal void Store(long value)
    {
        if (_values is not null)
        {
            JsonOutput json = BeginValue();
            json.Number(value);
            json.Flush();
        }
    }

    /// <summary>Stores a number, where the field is stored.</summary>
    internal void Store(double value)
    {
        if (_values is not null)
        {
            JsonOutput json = BeginValue();
            json.Number(value);
            json.Flush();
        }
    }

    /// <summary>Stores true or false, where the field is stored.</summary>
    internal void Store(bool value)
    {
        if (_values is not null)
        {
            JsonOutput json = BeginValue();
            json.Boolean(value);
            json.Flush();
        }
    }

    /// <summary>Stores a value as it is, digit by digit, where the field is stored.</summary>
    internal void Store(BlittableValue value)
    {
        if (_values is not null)
        {
            JsonOutput json = BeginValue();
            json.Value(value);
            json.Flush();
        }
    }

    /// <summary>Stores null, where the field is stored.</summary>
    internal void StoreNull()
    {
        if (_values is not null)
        {
            JsonOutput json = BeginValue();
            json.Null();
            json.Flush();
        }
    }

    private JsonOutput BeginValue()
    {
        if (_count++ > 0)
        {
            _values!.Write(","u8);
        }

        return new JsonOutput(_values!);
    }

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
        target.Write(_count > 1 ? ":["u8 : ":"u8);
        target.Write(_values!.WrittenSpan);
        target.Write(_count > 1 ? "]"u8 : ""u8);
        return true;
    }

    internal void Clear()
    {
        _count = 0;
        _values!.ResetWrittenCount();
    }
}
