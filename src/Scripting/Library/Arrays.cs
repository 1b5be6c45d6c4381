using System.Diagnostics.CodeAnalysis;
using Raven.Scripting.Execution;
using Raven.Scripting.Runtime;

namespace Raven.Scripting.Library;

/// <summary>Which objects are arrays, and which arrays built-in functions make.</summary>
internal static class Arrays
{
    /// <summary>The array that a function makes: of the class of its source, if a script has defined one.</summary>
    internal static JsArray NewLike(Run run, JsObject source, int capacity)
    {
        if (source.Class == ObjectClass.Array && source.Prototype != run.Realm.ArrayPrototype
            && source.Get(run, "constructor").AsFunction is ScriptFunction { IsConstructor: true } type
            && type.Construct(run, [new JsValue(capacity)], type).AsObject is JsArray made)
        {
            made.TrySetLength(run, 0);
            return made;
        }

        return run.NewArray(capacity);
    }

    /// <summary>The result of Array.isArray.</summary>
    internal static bool IsArray(JsValue value, [NotNullWhen(true)] out JsObject? array)
    {
        array = value.AsObject;
        return array is { Class: ObjectClass.Array } or Documents.DocumentArray;
    }
}
