using Raven.Scripting.Runtime;

namespace Raven.Scripting.Library;

/// <summary>structuredClone (HTML, 2.7): a copy of all that a value reaches, cycles included.</summary>
internal static class CloneLibrary
{
    internal static void Build(RealmBuilder builder) => builder.DefineGlobal(
        "structuredClone", new JsValue(builder.Function("structuredClone", 1, (run, _, a) => a.Length == 0
            ? throw run.TypeError("The \"value\" argument must be specified") : new Cloner(run).Clone(a[0]))));

    private sealed class Cloner(Run run)
    {
        private readonly Dictionary<JsObject, JsObject> _known = new(ReferenceEqualityComparer.Instance);

        internal JsValue Clone(JsValue value)
        {
            run.Step();
            if (value.IsSymbol)
            {
                throw Refused(Describe.Value(value));
            }

            if (value.AsObject is not { } source)
            {
                return value;
            }

            if (_known.TryGetValue(source, out JsObject? known))
            {
                return new JsValue(known);
            }

            run.EnterCall();
            run.ChargeBytes(80);
            JsValue clone = new(Clone(source));
            run.LeaveCall();
            return clone;
        }

        private JsObject Clone(JsObject source)
        {
            if (Arrays.IsArray(new JsValue(source), out _))
            {
                return CloneArray(source);
            }

            switch (source)
            {
                case JsPrimitiveObject { Value.IsSymbol: false } wrapper:
                    return Keep(
                        source, new JsPrimitiveObject(run, run.Realm.PrototypeOf(wrapper.Value), wrapper.Value));
                case JsDate date:
                    run.ChargeBytes(100);
                    return Keep(source, new JsDate(run.Realm.DatePrototype, date.Time));
                case JsRegExp regExp:
                    run.ChargeBytes(160);
                    return Keep(source, new JsRegExp(run, run.Realm.RegExpPrototype, regExp.Pattern));
                case JsCollection { Class: ObjectClass.Map or ObjectClass.Set } collection:
                    return CloneCollection(collection);
                default:
                    return source.Class switch
                    {
                        ObjectClass.Error => CloneError(source),
                        ObjectClass.Object or ObjectClass.Document or ObjectClass.Arguments =>
                            CopyProperties(source, Keep(source, run.NewObject())),
                        _ => throw Refused(Describe.Value(new JsValue(source))),
                    };
            }
        }

        /// <summary>Remembers the copy before what is inside of it is copied, which may lead back to it.</summary>
        private T Keep<T>(JsObject source, T clone)
            where T : JsObject
        {
            _known.Add(source, clone);
            return clone;
        }

        private JsObject CloneArray(JsObject source)
        {
            long length = Objects.LengthOf(run, source);
            run.CheckArrayLength(length);
            JsArray clone = Keep(source, run.NewArray((int)length));
            for (int i = 0; i < length; i++)
            {
                bool isHole = source is JsArray array && (i >= array.Count || array.Items[i].IsEmpty);
                clone.Add(run, isHole ? JsValue.Empty : Clone(Objects.At(run, source, i)));
            }

            return source.HasNoMappedProperty || source is Documents.DocumentArray
                ? clone : CopyProperties(source, clone);
        }

        private JsCollection CloneCollection(JsCollection source)
        {
            run.ChargeBytes(250);
            bool isMap = source.Class == ObjectClass.Map;
            JsCollection clone = Keep(
                source,
                new JsCollection(isMap ? run.Realm.MapPrototype : run.Realm.SetPrototype, source.Class));

            // A getter of what is copied may change the collection: what it has now counts.
            List<(JsValue Key, JsValue Value)> entries = [];
            for (int at = 0; source.MoveNext(ref at, out JsValue key, out JsValue value);)
            {
                run.Step();
                run.ChargeBytes(32);
                entries.Add((key, value));
            }

            foreach ((JsValue key, JsValue value) in entries)
            {
                JsValue copied = Clone(key);
                clone.Put(run, copied, isMap ? Clone(value) : copied);
            }

            return clone;
        }

        private JsObject CloneError(JsObject source)
        {
            Realm realm = run.Realm;
            JsValue name = source.Get(run, "name");
            JsObject prototype = (name.IsUndefined ? "Error" : Operations.ToText(run, name)) switch
            {
                "TypeError" => realm.TypeErrorPrototype,
                "RangeError" => realm.RangeErrorPrototype,
                "ReferenceError" => realm.ReferenceErrorPrototype,
                "SyntaxError" => realm.SyntaxErrorPrototype,
                _ => realm.ErrorPrototype,
            };
            run.ChargeBytes(200);
            JsObject clone = Keep(source, new JsObject(prototype, ObjectClass.Error));
            foreach (string key in new[] { "stack", "message", "cause" })
            {
                if (source.TryGetOwn(run, key, out Property own) && !own.Value.IsAccessor)
                {
                    JsValue copied = key == "cause" ? Clone(own.Value)
                        : new JsValue(Operations.ToJsString(run, own.Value));
                    clone.Define(run, key, copied, PropertyFlags.Hidden);
                }
            }

            return clone;
        }

        private JsObject CopyProperties(JsObject source, JsObject clone)
        {
            foreach (string name in Objects.EnumerableNames(run, source))
            {
                if (source is not JsArray { Class: ObjectClass.Array } || !PropertyKeys.TryIndex(name, out _))
                {
                    clone.Define(run, name, Clone(source.Get(run, name)), PropertyFlags.All);
                }
            }

            return clone;
        }

        private ThrownException Refused(string what)
        {
            run.ChargeSteps(100);
            JsObject error = run.NewError(run.Realm.ErrorPrototype, $"{what} could not be cloned.");
            error.Define(run, "name", JsValue.Of("DataCloneError"), PropertyFlags.Hidden);
            return new ThrownException(new JsValue(error), run.Position);
        }
    }
}
