namespace Raven.Search.Buffers;

/// <summary>Objects that are reused for each segment and query. One thread at a time.</summary>
internal sealed class Pool<T>
    where T : class, new()
{
    private readonly List<T> _items = [];
    private int _used;

    internal T Rent()
    {
        if (_used == _items.Count)
        {
            _items.Add(new T());
        }

        return _items[_used++];
    }

    internal void Reset() => _used = 0;
}
