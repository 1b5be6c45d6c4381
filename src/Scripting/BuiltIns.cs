using Raven.Scripting.Hosting;
using Raven.Scripting.HostFunctions;
using Raven.Scripting.Library;
using Raven.Scripting.Runtime;

namespace Raven.Scripting;

/// <summary>Builds the built-in objects: those of the language, and those with which scripts use a database.</summary>
internal static class BuiltIns
{
    internal static Realm Build(TimeProvider clock)
    {
        Realm realm = new();
        Run run = new(realm, clock);
        run.Begin(new ScriptLimits { StepsMax = long.MaxValue / 2, MemoryBytesMax = long.MaxValue / 2 }, default);
        RealmBuilder builder = new(run, realm);
        builder.Tag(realm.ArrayIteratorPrototype, "Array Iterator");
        builder.Tag(realm.StringIteratorPrototype, "String Iterator");
        builder.Tag(realm.MapIteratorPrototype, "Map Iterator");
        builder.Tag(realm.SetIteratorPrototype, "Set Iterator");
        builder.Tag(realm.RegExpIteratorPrototype, "RegExp String Iterator");
        ErrorLibrary.Build(builder);
        ObjectLibrary.Build(builder);
        FunctionLibrary.Build(builder);
        ArrayLibrary.Build(builder);
        ArrayCallbacks.Build(builder);
        ArrayCopies.Build(builder);
        StringLibrary.Build(builder);
        StringPatterns.Build(builder);
        NumberLibrary.Build(builder);
        MathLibrary.Build(builder);
        SymbolLibrary.Build(builder);
        BigIntLibrary.Build(builder);
        JsonLibrary.Build(builder);
        CollectionLibrary.Build(builder);
        SetLibrary.Build(builder);
        GroupLibrary.Build(builder);
        RegExpLibrary.Build(builder);
        DateLibrary.Build(builder);
        IteratorLibrary.Build(builder);
        GlobalLibrary.Build(builder);
        CloneLibrary.Build(builder);
        HostLibrary.Build(builder);
        realm.Complete(run);
        RealmFreezer.Freeze(run, realm.Global);
        return realm;
    }
}
