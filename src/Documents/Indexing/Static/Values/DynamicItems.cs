using Raven.Blittable.Reading;

namespace Raven.Documents.Indexing.Static.Values;

/// <summary>
/// The items of a value, for foreach: those of an array or a sequence, the pairs of an object, none of null. Walking an
/// array of a document allocates nothing.
/// </summary>
public readonly struct DynamicItems
{
    private readonly DynamicValue _source;

    internal DynamicItems(DynamicValue source) => _source = source;

    /// <summary>Starts before the first item.</summary>
    public Enumerator GetEnumerator() => new(_source);

    /// <summary>Walks the items.</summary>
    public struct Enumerator : IDisposable
    {
        private readonly BlittableArray _array;
        private readonly DynamicValue[]? _list;
        private readonly IEnumerator<DynamicValue>? _others;
        private readonly int _count;
        private int _index;

        internal Enumerator(DynamicValue source)
        {
            _index = -1;
            if (source.Kind == DynamicKind.StoredArray)
            {
                _array = source.Stored.AsArray();
                _count = _array.Count;
            }
            else if (source.Kind == DynamicKind.Sequence && ListOf(source.Object) is { } list)
            {
                _list = list;
                _count = list.Length;
            }
            else
            {
                _others = DynamicSequence.Of(source).GetEnumerator();
            }
        }

        /// <summary>The current item.</summary>
        public readonly DynamicValue Current => _others is not null ? _others.Current
            : _list is not null ? _list[_index]
            : DynamicValue.Of(_array[_index]);

        /// <summary>Goes to the next item; false at the end.</summary>
        public bool MoveNext() => _others?.MoveNext() ?? ++_index < _count;

        private static DynamicValue[]? ListOf(object? source) =>
            (source as DynamicValue[]) ?? (source as DynamicGroup)?.List;

        /// <inheritdoc/>
        public readonly void Dispose() => _others?.Dispose();
    }
}
