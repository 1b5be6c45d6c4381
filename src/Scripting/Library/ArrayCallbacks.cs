using Raven.Scripting.Runtime;

namespace Raven.Scripting.Library;

/// <summary>The functions of arrays that take a callback, and sort.</summary>
internal static class ArrayCallbacks
{
    private delegate bool Visit(JsValue item, long index, JsValue answer);

    internal static void Build(RealmBuilder builder)
    {
        JsObject prototype = builder.Realm.ArrayPrototype;
        builder.Method(prototype, "forEach", 1, (run, self, a) =>
        {
            Each(run, self, a, skipHoles: true, (_, _, _) => true);
            return JsValue.Undefined;
        });
        builder.Method(prototype, "map", 1, Map);
        builder.Method(prototype, "filter", 1, (run, self, a) =>
        {
            JsArray result = Arrays.NewLike(run, Operations.ToObject(run, self), 0);
            Each(run, self, a, skipHoles: true, (item, _, answer) =>
            {
                if (Operations.ToBoolean(answer))
                {
                    result.Add(run, item);
                }

                return true;
            });
            return new JsValue(result);
        });
        builder.Method(prototype, "some", 1, (run, self, a) =>
            JsValue.Of(!Each(run, self, a, skipHoles: true, (_, _, answer) => !Operations.ToBoolean(answer))));
        builder.Method(prototype, "every", 1, (run, self, a) =>
            JsValue.Of(Each(run, self, a, skipHoles: true, (_, _, answer) => Operations.ToBoolean(answer))));
        builder.Method(prototype, "find", 1, (run, self, a) => Find(run, self, a).Item);
        builder.Method(prototype, "findIndex", 1, (run, self, a) => new JsValue(Find(run, self, a).Index));
        builder.Method(prototype, "findLast", 1, (run, self, a) => FindLast(run, self, a).Item);
        builder.Method(prototype, "findLastIndex", 1, (run, self, a) => new JsValue(FindLast(run, self, a).Index));
        builder.Method(prototype, "reduce", 1, (run, self, a) => Reduce(run, self, a, fromEnd: false));
        builder.Method(prototype, "reduceRight", 1, (run, self, a) => Reduce(run, self, a, fromEnd: true));
        builder.Method(prototype, "flatMap", 1, (run, self, a) =>
        {
            JsArray result = Arrays.NewLike(run, Operations.ToObject(run, self), 0);
            Each(run, self, a, skipHoles: true, (_, _, answer) =>
            {
                AddFlat(run, result, answer);
                return true;
            });
            return new JsValue(result);
        });
        builder.Method(prototype, "sort", 1, Sort);
    }

    /// <summary>Calls back for each element until a callback stops it. True if it reached the end.</summary>
    private static bool Each(Run run, JsValue self, ReadOnlySpan<JsValue> arguments, bool skipHoles, Visit visit)
    {
        JsObject target = Operations.ToObject(run, self);
        long length = Objects.LengthOf(run, target);
        JsFunction callback = Objects.Callable(run, arguments.At(0));
        JsValue callbackSelf = arguments.At(1);
        JsValue whole = new(target);
        for (long i = 0; i < length; i++)
        {
            run.Step();
            if (skipHoles && IsHole(run, target, i))
            {
                continue;
            }

            JsValue item = Objects.At(run, target, i);
            JsValue answer = callback.Call(run, callbackSelf, [item, new JsValue(i), whole]);
            if (!visit(item, i, answer))
            {
                return false;
            }
        }

        return true;
    }

    private static bool IsHole(Run run, JsObject target, long index) =>
        target is JsArray array ? index >= array.Count || array.Items[(int)index].IsEmpty
        : target is not Documents.DocumentArray && !target.Has(run, Objects.KeyOf(index));

    private static JsValue Map(Run run, JsValue self, ReadOnlySpan<JsValue> arguments)
    {
        JsObject target = Operations.ToObject(run, self);
        long length = Objects.LengthOf(run, target);
        run.CheckArrayLength(length);
        JsFunction callback = Objects.Callable(run, arguments.At(0));
        JsArray result = Arrays.NewLike(run, target, (int)length);
        JsValue whole = new(target);
        for (long i = 0; i < length; i++)
        {
            run.Step();
            result.Add(run, IsHole(run, target, i) ? JsValue.Empty
                : callback.Call(run, arguments.At(1), [Objects.At(run, target, i), new JsValue(i), whole]));
        }

        return new JsValue(result);
    }

    private static (JsValue Item, long Index) Find(Run run, JsValue self, ReadOnlySpan<JsValue> arguments)
    {
        (JsValue, long) found = (JsValue.Undefined, -1);
        Each(run, self, arguments, skipHoles: false, (item, index, answer) =>
        {
            if (Operations.ToBoolean(answer))
            {
                found = (item, index);
                return false;
            }

            return true;
        });
        return found;
    }

    private static (JsValue Item, long Index) FindLast(Run run, JsValue self, ReadOnlySpan<JsValue> arguments)
    {
        JsObject target = Operations.ToObject(run, self);
        JsFunction callback = Objects.Callable(run, arguments.At(0));
        for (long i = Objects.LengthOf(run, target) - 1; i >= 0; i--)
        {
            run.Step();
            JsValue item = Objects.At(run, target, i);
            if (Operations.ToBoolean(callback.Call(run, arguments.At(1), [item, new JsValue(i), new JsValue(target)])))
            {
                return (item, i);
            }
        }

        return (JsValue.Undefined, -1);
    }

    private static JsValue Reduce(Run run, JsValue self, ReadOnlySpan<JsValue> arguments, bool fromEnd)
    {
        JsObject target = Operations.ToObject(run, self);
        long length = Objects.LengthOf(run, target);
        JsFunction callback = Objects.Callable(run, arguments.At(0));
        bool started = arguments.Length > 1;
        JsValue sum = started ? arguments[1] : JsValue.Undefined;
        for (long n = 0; n < length; n++)
        {
            run.Step();
            long i = fromEnd ? length - 1 - n : n;
            if (IsHole(run, target, i))
            {
                continue;
            }

            JsValue item = Objects.At(run, target, i);
            sum = started
                ? callback.Call(run, JsValue.Undefined, [sum, item, new JsValue(i), new JsValue(target)]) : item;
            started = true;
        }

        return started ? sum : throw run.TypeError("Reduce of empty array with no initial value");
    }

    private static void AddFlat(Run run, JsArray result, JsValue answer)
    {
        if (!Arrays.IsArray(answer, out JsObject? inner))
        {
            result.Add(run, answer);
            return;
        }

        for (long i = 0; i < Objects.LengthOf(run, inner); i++)
        {
            run.Step();
            if (!IsHole(run, inner, i))
            {
                result.Add(run, Objects.At(run, inner, i));
            }
        }
    }

    private static JsValue Sort(Run run, JsValue self, ReadOnlySpan<JsValue> arguments)
    {
        JsFunction? comparer = arguments.At(0).IsUndefined ? null
            : arguments.At(0).AsFunction
                ?? throw run.TypeError("The comparison function must be either a function or undefined");
        JsObject target = Operations.ToObject(run, self);
        if (target is Documents.DocumentArray document)
        {
            target = document.Materialize(run);
        }

        long length = Objects.LengthOf(run, target);
        run.CheckArrayLength(length);
        run.ChargeBytes(48L * length);
        List<JsValue> items = [];
        int undefined = 0;
        int holes = 0;
        for (long i = 0; i < length; i++)
        {
            if (IsHole(run, target, i))
            {
                holes++;
                continue;
            }

            JsValue item = Objects.At(run, target, i);
            if (item.IsUndefined)
            {
                undefined++;
            }
            else
            {
                items.Add(item);
            }
        }

        JsValue[] sorted = comparer is null ? MergeSort.ByText(run, items) : MergeSort.ByFunction(run, items, comparer);
        for (int i = 0; i < length - holes; i++)
        {
            Objects.Put(run, target, PropertyKeys.OfIndex((uint)i), i < sorted.Length ? sorted[i] : JsValue.Undefined);
        }

        for (long i = length - holes; i < length; i++)
        {
            target.Delete(run, Objects.KeyOf(i));
        }

        return self;
    }
}
