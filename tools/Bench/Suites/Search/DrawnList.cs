using System.Collections;

namespace Raven.Tools.Bench.Suites.Search;

/// <summary>Items that are drawn anew, and alike, each time that they are read: ten million take no memory.</summary>
/// <param name="count">How many there are.</param>
/// <param name="draw">Draws one by its number.</param>
internal sealed class DrawnList<T>(int count, Func<int, T> draw) : IReadOnlyList<T>
{
    public int Count => count;

    public T this[int index] => draw(index);

    public IEnumerator<T> GetEnumerator() => Enumerable.Range(0, count).Select(draw).GetEnumerator();

    IEnumerator IEnumerable.GetEnumerator() => GetEnumerator();
}
