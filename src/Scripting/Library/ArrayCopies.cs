using Raven.Scripting.Runtime;

namespace Raven.Scripting.Library;

/// <summary>
/// The functions of arrays that leave the array as it is and return a changed copy, in which holes are undefined
/// (ECMA-262, 23.1.3.33 to 23.1.3.39).
/// </summary>
internal static class ArrayCopies
{
    internal static void Build(RealmBuilder builder)
    {
        JsObject prototype = builder.Realm.ArrayPrototype;
        builder.Method(prototype, "toReversed", 0, ToReversed);
        builder.Method(prototype, "toSorted", 1, ToSorted);
        builder.Method(prototype, "toSpliced", 2, ToSpliced);
        builder.Method(prototype, "with", 2, With);
    }

    private static JsValue ToReversed(Run run, JsValue self, ReadOnlySpan<JsValue> arguments)
    {
        JsObject source = Operations.ToObject(run, self);
        int length = LengthOf(run, source);
        JsArray result = run.NewArray(length);
        for (int i = length - 1; i >= 0; i--)
        {
            Copy(run, source, i, result);
        }

        return new JsValue(result);
    }

    private static JsValue ToSorted(Run run, JsValue self, ReadOnlySpan<JsValue> arguments)
    {
        JsFunction? comparer = arguments.At(0).IsUndefined ? null
            : arguments.At(0).AsFunction
                ?? throw run.TypeError("The comparison function must be either a function or undefined");
        JsObject source = Operations.ToObject(run, self);
        int length = LengthOf(run, source);
        run.ChargeBytes(48L * length);
        List<JsValue> items = [];
        for (int i = 0; i < length; i++)
        {
            run.Step();
            JsValue item = Objects.At(run, source, i);
            if (!item.IsUndefined)
            {
                items.Add(item);
            }
        }

        JsValue[] sorted = comparer is null ? MergeSort.ByText(run, items) : MergeSort.ByFunction(run, items, comparer);
        JsArray result = run.NewArray(length);
        for (int i = 0; i < length; i++)
        {
            result.Add(run, i < sorted.Length ? sorted[i] : JsValue.Undefined);
        }

        return new JsValue(result);
    }

    private static JsValue ToSpliced(Run run, JsValue self, ReadOnlySpan<JsValue> arguments)
    {
        JsObject source = Operations.ToObject(run, self);
        int length = LengthOf(run, source);
        int start = Operations.ToRelative(run, arguments.At(0), length, 0);
        int skipped = arguments.Length switch
        {
            0 => 0,
            1 => length - start,
            _ => (int)Math.Clamp(Operations.ToInteger(run, arguments[1]), 0, length - start),
        };
        ReadOnlySpan<JsValue> inserted = arguments.Length > 2 ? arguments[2..] : [];
        JsArray result = run.NewArray(length - skipped + inserted.Length);
        for (int i = 0; i < start; i++)
        {
            Copy(run, source, i, result);
        }

        foreach (JsValue value in inserted)
        {
            result.Add(run, value);
        }

        for (int i = start + skipped; i < length; i++)
        {
            Copy(run, source, i, result);
        }

        return new JsValue(result);
    }

    private static JsValue With(Run run, JsValue self, ReadOnlySpan<JsValue> arguments)
    {
        JsObject source = Operations.ToObject(run, self);
        int length = LengthOf(run, source);
        double asked = Operations.ToInteger(run, arguments.At(0));
        double index = asked < 0 ? length + asked : asked;
        if (index < 0 || index >= length)
        {
            throw run.RangeError($"Invalid index : {Describe.Value(new JsValue(asked))}");
        }

        JsArray result = run.NewArray(length);
        for (int i = 0; i < length; i++)
        {
            if (i == (int)index)
            {
                result.Add(run, arguments.At(1));
            }
            else
            {
                Copy(run, source, i, result);
            }
        }

        return new JsValue(result);
    }

    private static int LengthOf(Run run, JsObject source)
    {
        long length = Objects.LengthOf(run, source);
        run.CheckArrayLength(length);
        return (int)length;
    }

    private static void Copy(Run run, JsObject source, int index, JsArray result)
    {
        run.Step();
        result.Add(run, Objects.At(run, source, index));
    }
}
