using System.Reflection;
using System.Runtime.CompilerServices;
using System.Text;

namespace FastTests.Architecture;

/// <summary>
/// What a library offers is written down: a change of the public surface is a change of a golden file in the same
/// commit. Run with DEV_UPDATE_GOLDEN=1 to rewrite the files, then read the diff.
/// </summary>
public sealed class PublicApiTests
{
    private const BindingFlags Declared = BindingFlags.Public | BindingFlags.NonPublic | BindingFlags.Instance
        | BindingFlags.Static | BindingFlags.DeclaredOnly;

    [Theory]
    [InlineData("Raven.Blittable")]
    [InlineData("Raven.Storage")]
    [InlineData("Raven.Scripting")]
    [InlineData("Raven.Search")]
    [InlineData("Raven.Search.Lucene")]
    [InlineData("Raven.Documents")]
    [InlineData("Raven.Server")]
    [InlineData("Raven.Client")]
    [InlineData("Raven.TestDriver")]
    [InlineData("Raven.DependencyInjection")]
    public void The_public_API_of_each_project_is_that_of_its_golden_file(string assembly)
    {
        string actual = Describe(Assembly.Load(assembly));
        string path = Path.Combine(SourceTree.Root, "tests/FastTests/Architecture/PublicApi", assembly + ".txt");
        if (Environment.GetEnvironmentVariable("DEV_UPDATE_GOLDEN") == "1")
        {
            File.WriteAllText(path, actual);
        }

        Assert.Equal(File.ReadAllText(path), actual);
    }

    private static string Describe(Assembly assembly)
    {
        StringBuilder text = new();
        foreach (Type type in assembly.GetExportedTypes().Where(IsNamed).OrderBy(NameOf, StringComparer.Ordinal))
        {
            text.Append(KindOf(type)).Append(' ').Append(NameOf(type)).Append(Parents(type))
                .Append(Constraints(type.GetGenericArguments())).Append('\n');
            IEnumerable<string> members = type.GetMembers(Declared)
                .Where(IsWritten).Select(Describe).Order(StringComparer.Ordinal);
            foreach (string member in members)
            {
                text.Append("    ").Append(member).Append('\n');
            }
        }

        return text.ToString();
    }

    /// <summary>Not a type that the compiler makes for a block of extension members.</summary>
    private static bool IsNamed(Type type) => !type.FullName!.Contains('<', StringComparison.Ordinal);

    /// <summary>What a type is besides: the base that it names, and its interfaces that are seen outside.</summary>
    private static string Parents(Type type)
    {
        if (type.IsEnum || type.IsSubclassOf(typeof(Delegate)))
        {
            return type.IsEnum && Enum.GetUnderlyingType(type) is { } number && number != typeof(int)
                ? " : " + NameOf(number)
                : "";
        }

        Type[] implied = [.. type.GetInterfaces().SelectMany(contract => contract.GetInterfaces())];
        string[] parents =
        [
            .. type.BaseType is { IsVisible: true } parent && parent != typeof(object) && parent != typeof(ValueType)
                ? [NameOf(parent)]
                : Array.Empty<string>(),
            .. type.GetInterfaces().Where(contract => contract.IsVisible).Except(implied)
                .Except(type.BaseType?.GetInterfaces() ?? []).Select(NameOf).Order(StringComparer.Ordinal),
        ];
        return parents.Length == 0 ? "" : " : " + string.Join(", ", parents);
    }

    private static string Constraints(Type[] parameters) => string.Concat(parameters
        .Where(parameter => parameter.IsGenericParameter)
        .Select(parameter => (parameter.Name, Demands: Demands(parameter).ToArray()))
        .Where(one => one.Demands.Length > 0)
        .Select(one => $" where {one.Name} : {string.Join(", ", one.Demands)}"));

    private static IEnumerable<string> Demands(Type parameter)
    {
        GenericParameterAttributes demands = parameter.GenericParameterAttributes;
        bool isStruct = demands.HasFlag(GenericParameterAttributes.NotNullableValueTypeConstraint);
        if (demands.HasFlag(GenericParameterAttributes.ReferenceTypeConstraint) || isStruct)
        {
            yield return isStruct ? "struct" : "class";
        }

        foreach (Type demanded in parameter.GetGenericParameterConstraints().Where(it => it != typeof(ValueType)))
        {
            yield return NameOf(demanded);
        }

        if (demands.HasFlag(GenericParameterAttributes.DefaultConstructorConstraint) && !isStruct)
        {
            yield return "new()";
        }
    }

    private static bool IsWritten(MemberInfo member) =>
        member is not MethodBase { IsSpecialName: true, IsConstructor: false }
        && member.GetCustomAttribute<CompilerGeneratedAttribute>() is null
        && member is not Type && Access(member) != null;

    /// <summary>How far a member is seen: "" everywhere, or by those that derive; null if it is not.</summary>
    private static string? Access(MemberInfo member) => member switch
    {
        FieldInfo { IsPublic: true } or MethodBase { IsPublic: true } => "",
        FieldInfo { IsFamily: true } or FieldInfo { IsFamilyOrAssembly: true } or MethodBase { IsFamily: true }
            or MethodBase { IsFamilyOrAssembly: true } => member.DeclaringType!.IsSealed ? null : "protected ",
        PropertyInfo property => property.GetAccessors(nonPublic: true).Select(Access).Where(it => it != null).Min(),
        EventInfo happening => Access(happening.AddMethod!),
        _ => null,
    };

    private static string Describe(MemberInfo member) => Access(member) + member switch
    {
        FieldInfo { IsLiteral: true } field =>
            $"const {NameOf(field.FieldType)} {field.Name} = {field.GetRawConstantValue()}",
        FieldInfo field => $"field {NameOf(field.FieldType)} {field.Name}",
        PropertyInfo property => $"property {Virtual(property.GetAccessors(true)[0])}{NameOf(property.PropertyType)} "
            + property.Name + Parameters(property.GetIndexParameters())
            + Accessor(property, property.GetMethod, "get") + Accessor(property, property.SetMethod, "set"),
        EventInfo happening => $"event {NameOf(happening.EventHandlerType!)} {happening.Name}",
        ConstructorInfo constructor => $"new({string.Join(", ", constructor.GetParameters().Select(Describe))})",
        MethodInfo method => $"{(method.IsStatic ? "static " : "")}{Virtual(method)}{NameOf(method.ReturnType)} "
            + method.Name
            + (method.IsGenericMethod ? $"<{string.Join(", ", method.GetGenericArguments().Select(NameOf))}>" : "")
            + $"({string.Join(", ", method.GetParameters().Select(Describe))})"
            + Constraints(method.GetGenericArguments()),
        _ => member.ToString()!,
    };

    /// <summary>What a class that derives from it may or has to write itself.</summary>
    private static string Virtual(MethodInfo method) =>
        method.DeclaringType is { IsInterface: true } or { IsSealed: true } || !method.IsVirtual || method.IsFinal ? ""
        : method.IsAbstract ? "abstract "
        : method.GetBaseDefinition() != method ? "override " : "virtual ";

    private static string Accessor(PropertyInfo property, MethodInfo? accessor, string word) =>
        accessor is null || Access(accessor) is not { } access ? ""
        : Access(property) == access ? " " + word : $" {access}{word}";

    private static string Parameters(ParameterInfo[] parameters) =>
        parameters.Length == 0 ? "" : $"[{string.Join(", ", parameters.Select(Describe))}]";

    private static string Describe(ParameterInfo parameter) =>
        (parameter.IsOut ? "out " : parameter.ParameterType.IsByRef ? "ref " : "")
        + $"{NameOf(parameter.ParameterType)} {parameter.Name}"
        + (parameter.HasDefaultValue ? " = " + (parameter.RawDefaultValue ?? "default") : "");

    private static string KindOf(Type type) =>
        type.IsEnum ? "enum" : type.IsInterface ? "interface" : type.IsValueType ? "struct"
        : typeof(Delegate).IsAssignableFrom(type) ? "delegate"
        : type is { IsAbstract: true, IsSealed: true } ? "static class"
        : type.IsSealed ? "sealed class" : type.IsAbstract ? "abstract class" : "class";

    private static string NameOf(Type type)
    {
        if (type.IsByRef || type.IsPointer || type.IsArray)
        {
            return NameOf(type.GetElementType()!) + (type.IsPointer ? "*" : type.IsArray ? "[]" : "");
        }

        string name = type.IsGenericParameter ? type.Name
            : type.IsNested ? $"{NameOf(type.DeclaringType!)}.{type.Name}"
            : type.Namespace is "System" ? type.Name : type.FullName?.Split('[')[0] ?? $"{type.Namespace}.{type.Name}";
        return type.IsGenericType
            ? $"{name.Split('`')[0]}<{string.Join(", ", type.GetGenericArguments().Select(NameOf))}>"
            : name;
    }
}
