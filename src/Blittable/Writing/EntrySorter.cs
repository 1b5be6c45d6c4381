namespace Raven.Blittable.Writing;

/// <summary>
/// Sorts the properties of an object whose shape is not kept, by name, and finds repeated names on the way. Merge sort:
/// no input makes it slower than n log n, and equal names stay in the order of arrival.
/// </summary>
internal sealed class EntrySorter
{
    private const int RunLength = 8;
    private const int KeptMax = 1 << 16;

    private int[] _order = new int[256];
    private int[] _other = new int[256];

    /// <summary>The places of the entries in the order of their names; valid until the next call.</summary>
    /// <param name="entries">The properties of one object.</param>
    /// <param name="names">The names of their ids.</param>
    /// <param name="duplicate">The entry of the first repeated name in the input, or -1.</param>
    internal ReadOnlySpan<int> Sort(ReadOnlySpan<DocumentBuilder.Entry> entries, PropertyNames names, out int duplicate)
    {
        int count = entries.Length;
        if (_order.Length < count || (_order.Length > KeptMax && count <= KeptMax))
        {
            _order = new int[Math.Max(256, count + (count / 2))];
            _other = new int[_order.Length];
        }

        SortRuns(entries, names, count);
        for (int width = RunLength; width < count; width *= 2)
        {
            for (int start = 0; start < count; start += width * 2)
            {
                int middle = Math.Min(start + width, count);
                Merge(entries, names, start, middle, Math.Min(middle + width, count));
            }

            (_order, _other) = (_other, _order);
        }

        duplicate = FindDuplicate(entries, names, count);
        return _order.AsSpan(0, count);
    }

    private static int Compare(ReadOnlySpan<DocumentBuilder.Entry> entries, PropertyNames names, int left, int right) =>
        names.Compare(names.IndexOfId(entries[left].Id), names.IndexOfId(entries[right].Id));

    private void SortRuns(ReadOnlySpan<DocumentBuilder.Entry> entries, PropertyNames names, int count)
    {
        for (int i = 0; i < count; i++)
        {
            int place = i;
            int first = i / RunLength * RunLength;
            while (place > first && Compare(entries, names, i, _order[place - 1]) < 0)
            {
                _order[place] = _order[place - 1];
                place--;
            }

            _order[place] = i;
        }
    }

    private void Merge(ReadOnlySpan<DocumentBuilder.Entry> entries, PropertyNames names, int start, int middle, int end)
    {
        int left = start;
        int right = middle;
        for (int i = start; i < end; i++)
        {
            bool takeLeft = left < middle &&
                (right >= end || Compare(entries, names, _order[left], _order[right]) <= 0);
            _other[i] = takeLeft ? _order[left++] : _order[right++];
        }
    }

    private int FindDuplicate(ReadOnlySpan<DocumentBuilder.Entry> entries, PropertyNames names, int count)
    {
        int first = -1;
        for (int i = 1; i < count; i++)
        {
            int entry = _order[i];
            if ((first < 0 || entries[entry].Input < entries[first].Input)
                && Compare(entries, names, _order[i - 1], entry) == 0)
            {
                first = entry;
            }
        }

        return first;
    }
}
