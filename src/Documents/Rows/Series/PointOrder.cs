namespace Raven.Documents.Rows.Series;

/// <summary>Puts points into the order of their times, with one point for each time.</summary>
internal static class PointOrder
{
    /// <summary>Sorts points; of several at one time the last one stays, or they are added up.</summary>
    /// <param name="points">The points.</param>
    /// <param name="isSum">Whether to add up.</param>
    /// <returns>The same list if it was in order.</returns>
    internal static PointList Sort(PointList points, bool isSum)
    {
        if (points.IsInOrder)
        {
            return points;
        }

        int[] order = new int[points.Count];
        for (int i = 0; i < order.Length; i++)
        {
            order[i] = i;
        }

        Array.Sort(order, new ByTime(points));
        var sorted = new PointList();
        for (int i = 0; i < order.Length; i++)
        {
            bool isSame = i != 0 && points.TimeAt(order[i]) == points.TimeAt(order[i - 1]);
            if (isSame && isSum)
            {
                sorted.AddToLast(points.ValuesAt(order[i]));
                continue;
            }

            if (isSame)
            {
                sorted.Truncate(sorted.Count - 1);
            }

            sorted.AddRange(points, order[i], 1);
        }

        return sorted;
    }

    /// <summary>Merges two lists in order; a point of the second replaces one of the first at its time, or is added
    /// to it.</summary>
    /// <returns>How many points have a time that the first list does not have.</returns>
    internal static int Merge(PointList stored, PointList points, int start, int end, bool isSum, PointList target)
    {
        int added = 0;
        int old = 0;
        for (int i = start; i < end; i++)
        {
            long time = points.TimeAt(i);
            int from = old;
            while (old < stored.Count && stored.TimeAt(old) < time)
            {
                old++;
            }

            target.AddRange(stored, from, old - from);
            bool isSame = old < stored.Count && stored.TimeAt(old) == time;
            if (isSame && isSum)
            {
                target.AddRange(stored, old, 1);
                target.AddToLast(points.ValuesAt(i));
            }
            else
            {
                target.AddRange(points, i, 1);
            }

            old += isSame ? 1 : 0;
            added += isSame ? 0 : 1;
        }

        target.AddRange(stored, old, stored.Count - old);
        return added;
    }

    private sealed class ByTime(PointList points) : IComparer<int>
    {
        public int Compare(int x, int y)
        {
            int byTime = points.TimeAt(x).CompareTo(points.TimeAt(y));
            return byTime != 0 ? byTime : x.CompareTo(y);
        }
    }
}
