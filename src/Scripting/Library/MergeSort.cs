using Raven.Scripting.Runtime;


namespace Raven.Scripting.Library;

/// <summary>
/// A stable sort that is safe for any comparison function: it makes at most about n log n calls whatever they return,
/// and each is charged to the run.
/// </summary>
internal static class MergeSort
{
    /// <summary>Shorter arrays are sorted by insertion.</summary>
    private const int MergeLengthMin = 64;

    internal static JsValue[] ByFunction(Run run, List<JsValue> items, JsFunction comparer) =>
        Sort(run, [.. items], (left, right) =>
        {
            JsValue answer = comparer.Call(run, JsValue.Undefined, [left, right]);
            double order = Operations.ToNumber(run, answer);
            return order < 0;
        });

    internal static JsValue[] ByText(Run run, List<JsValue> items)
    {
        (string Text, JsValue Item)[] keyed = new (string, JsValue)[items.Count];
        for (int i = 0; i < keyed.Length; i++)
        {
            run.Step();
            keyed[i] = (Operations.ToText(run, items[i]), items[i]);
        }

        keyed = Sort(run, keyed, (left, right) =>
        {
            run.ChargeText(Math.Min(left.Text.Length, right.Text.Length));
            return string.CompareOrdinal(left.Text, right.Text) < 0;
        });
        return Array.ConvertAll(keyed, one => one.Item);
    }

    private static T[] Sort<T>(Run run, T[] items, Func<T, T, bool> isLess)
    {
        if (items.Length < MergeLengthMin)
        {
            InsertAll(run, items, isLess);
            return items;
        }

        T[] from = items;
        T[] to = new T[items.Length];
        for (int width = 1; width < items.Length; width *= 2)
        {
            for (int start = 0; start < items.Length; start += 2 * width)
            {
                Merge(run, from, to, start, width, isLess);
            }

            (from, to) = (to, from);
        }

        return from;
    }

    /// <summary>
    /// Binary insertion behind the run that the array starts with. The result of an inconsistent function depends on
    /// the calls; these are the calls of V8, in its order (observed).
    /// </summary>
    private static void InsertAll<T>(Run run, T[] items, Func<T, T, bool> isLess)
    {
        for (int next = FirstRun(run, items, isLess); next < items.Length; next++)
        {
            T item = items[next];
            int low = 0;
            int high = next;
            while (low < high)
            {
                run.Step();
                int middle = low + ((high - low) >> 1);
                (low, high) = isLess(item, items[middle]) ? (low, middle) : (middle + 1, high);
            }

            Array.Copy(items, low, items, low + 1, next - low);
            items[low] = item;
        }
    }

    /// <summary>How many items at the start are in order; descending ones are reversed.</summary>
    private static int FirstRun<T>(Run run, T[] items, Func<T, T, bool> isLess)
    {
        if (items.Length < 2)
        {
            return items.Length;
        }

        bool falls = isLess(items[1], items[0]);
        int length = 2;
        while (length < items.Length && isLess(items[length], items[length - 1]) == falls)
        {
            run.Step();
            length++;
        }

        if (falls)
        {
            Array.Reverse(items, 0, length);
        }

        return length;
    }

    private static void Merge<T>(Run run, T[] from, T[] to, int start, int width, Func<T, T, bool> isLess)
    {
        int middle = Math.Min(start + width, from.Length);
        int end = Math.Min(start + (2 * width), from.Length);
        int left = start;
        int right = middle;
        for (int i = start; i < end; i++)
        {
            run.Step();
            bool takeRight = left >= middle || (right < end && isLess(from[right], from[left]));
            to[i] = takeRight ? from[right++] : from[left++];
        }
    }
}
