using System.Buffers;
using Raven.Blittable.Json;
using Raven.Search;
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

    internal bool IsStored => _values is not null;

    internal int BatchNumber { get; set; }

    internal IndexField? Target { get; set; }

    internal SearchField? Vectors { get; set; }

    internal JsonOutput BeginValue()
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
