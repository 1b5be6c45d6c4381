using Raven.Scripting.Execution;
using Raven.Scripting.Values;

namespace Raven.Scripting.Library;

/// <summary>
/// A stable sort that survives any comparison function: it makes at most n log n calls whatever they answer, and the
/// run pays for each.
/// </summary>
internal static class MergeSort
{
    internal static JsValue[] ByFunction(Run run, List<JsValue> items, JsFunction comparer) =>
        Sort(run, [.. items], (left, right) =>
        {
            JsValue answer = comparer.Call(run, JsValue.Undefined, [left, right]);
            double order = Operations.ToNumber(run, answer);
            return order > 0;
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
            return string.CompareOrdinal(left.Text, right.Text) > 0;
        });
        return Array.ConvertAll(keyed, one => one.Item);
    }

    private static T[] Sort<T>(Run run, T[] items, Func<T, T, bool> isGreater)
    {
        T[] from = items;
        T[] to = new T[items.Length];
        for (int width = 1; width < items.Length; width *= 2)
        {
            for (int start = 0; start < items.Length; start += 2 * width)
            {
                Merge(run, from, to, start, width, isGreater);
            }

            (from, to) = (to, from);
        }

        return from;
    }

    private static void Merge<T>(Run run, T[] from, T[] to, int start, int width, Func<T, T, bool> isGreater)
    {
        int middle = Math.Min(start + width, from.Length);
        int end = Math.Min(start + (2 * width), from.Length);
        int left = start;
        int right = middle;
        for (int i = start; i < end; i++)
        {
            run.Step();
            bool takeRight = left >= middle || (right < end && isGreater(from[left], from[right]));
            to[i] = takeRight ? from[right++] : from[left++];
        }
    }
}
