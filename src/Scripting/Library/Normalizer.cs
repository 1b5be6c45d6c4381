using System.Text;
using Raven.Scripting.Runtime;
using Raven.Scripting.Text;

namespace Raven.Scripting.Library;

/// <summary>
/// String.prototype.normalize (Unicode Standard Annex 15), in linear time but for the order of marks.
/// </summary>
internal static class Normalizer
{
    /// <summary>Below it NFC changes nothing, and below the other no form does.</summary>
    private const char ComposedMin = '\u0300';
    private const char DecomposedMin = '\u00A0';
    private const int BytesOfUnit = 16;

    internal static string Normalize(Run run, string text, bool compatible, bool composes)
    {
        run.ChargeText(text.Length);
        char least = composes && !compatible ? ComposedMin : DecomposedMin;
        if (text.AsSpan().IndexOfAnyInRange(least, char.MaxValue) < 0)
        {
            return text;
        }

        List<int> points = Decompose(run, text, compatible);
        return ToText(run, composes ? Compose(run, points) : points);
    }

    /// <summary>The code points of the decomposition, marks in their order.</summary>
    internal static List<int> Decompose(Run run, string text, bool compatible)
    {
        Decompositions tables = Decompositions.Tables;
        List<int> points = new(text.Length);
        run.ChargeBytes((long)BytesOfUnit * text.Length);
        int marks = -1;
        for (int i = 0; i < text.Length;)
        {
            int count = points.Count;
            tables.Add(points, NextPoint(text, ref i), compatible);
            run.ChargeSteps(1 + ((points.Count - count) / 4));
            run.ChargeBytes(BytesOfUnit * (points.Count - count - 1L));
            run.CheckStringLength(points.Count);
            for (int at = count; at < points.Count; at++)
            {
                bool isMark = tables.ClassOf(points[at]) > 0;
                if (!isMark && marks >= 0)
                {
                    Sort(run, points, marks, at, tables);
                }

                marks = !isMark ? -1 : marks < 0 ? at : marks;
            }
        }

        if (marks >= 0)
        {
            Sort(run, points, marks, points.Count, tables);
        }

        return points;
    }

    /// <summary>
    /// Puts marks that follow each other in the order of their classes; those of one class keep theirs.
    /// </summary>
    private static void Sort(Run run, List<int> points, int start, int end, Decompositions tables)
    {
        if (end - start < 2)
        {
            return;
        }

        run.ChargeSteps(end - start);
        int[] sorted = [.. points[start..end].OrderBy(point => tables.ClassOf(point))];
        for (int i = 0; i < sorted.Length; i++)
        {
            points[start + i] = sorted[i];
        }
    }

    private static List<int> Compose(Run run, List<int> points)
    {
        Decompositions tables = Decompositions.Tables;
        List<int> result = new(points.Count);
        int starter = -1;
        byte previous = 0;
        foreach (int point in points)
        {
            byte own = tables.ClassOf(point);
            bool reaches = starter >= 0 && (previous < own || starter == result.Count - 1);
            if (reaches && tables.TryCompose(result[starter], point, out int composed))
            {
                result[starter] = composed;
                continue;
            }

            starter = own == 0 ? result.Count : starter;
            previous = own;
            result.Add(point);
        }

        run.ChargeSteps(points.Count / 2);
        return result;
    }

    private static string ToText(Run run, List<int> points)
    {
        run.ChargeBytes(4L * points.Count);
        StringBuilder text = new(points.Count);
        foreach (int point in points)
        {
            if (point > char.MaxValue)
            {
                text.Append(char.ConvertFromUtf32(point));
            }
            else
            {
                text.Append((char)point);
            }
        }

        run.CheckStringLength(text.Length);
        return text.ToString();
    }

    private static int NextPoint(string text, ref int at)
    {
        char c = text[at++];
        return char.IsHighSurrogate(c) && at < text.Length && char.IsLowSurrogate(text[at])
            ? char.ConvertToUtf32(c, text[at++]) : c;
    }
}
