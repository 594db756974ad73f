; Made of the C files of this folder by `python -m tools.native_ir`: not to be edited.
; clang version 22.1.8
; sources c68b0061dc9de9c6dde33bbae242c8524184400d909cda38e489b7cbf3f7501d

define void @cholesky_f32(ptr %0, i64 %1, i64 %2, i64 %3) nounwind {
  %5 = alloca [1024 x <8 x float>], align 32
  %6 = load ptr, ptr %0, align 8
  %7 = getelementptr inbounds nuw i8, ptr %0, i64 8
  %8 = load ptr, ptr %7, align 8
  %9 = getelementptr inbounds nuw i8, ptr %0, i64 16
  %10 = load ptr, ptr %9, align 8
  %11 = load i64, ptr %10, align 8
  %12 = icmp slt i64 %1, %2
  br i1 %12, label %13, label %17

13:
  %14 = icmp sgt i64 %11, 0
  %15 = mul i64 %11, %11
  %16 = sub i64 %2, %1
  br label %18

17:
  ret void

18:
  %19 = phi i64 [ %16, %13 ], [ %118, %115 ]
  %20 = phi i64 [ %1, %13 ], [ %116, %115 ]
  %21 = tail call i64 @llvm.smax.i64(i64 %19, i64 1)
  %22 = tail call i64 @llvm.umin.i64(i64 %21, i64 8)
  %23 = sub i64 %2, %20
  br i1 %14, label %24, label %57

24:
  %25 = tail call i64 @llvm.smin.i64(i64 %23, i64 8)
  %26 = add i64 %25, -1
  br label %27

27:
  %28 = phi i64 [ 1, %24 ], [ %38, %36 ]
  %29 = phi i64 [ 0, %24 ], [ %37, %36 ]
  %30 = mul i64 %29, %11
  %31 = getelementptr inbounds <8 x float>, ptr %5, i64 %30
  br label %32

32:
  %33 = phi i64 [ 0, %27 ], [ %41, %40 ]
  %34 = getelementptr float, ptr %6, i64 %33
  %35 = getelementptr inbounds nuw <8 x float>, ptr %31, i64 %33
  br label %43

36:
  %37 = add nuw nsw i64 %29, 1
  %38 = add nuw i64 %28, 1
  %39 = icmp eq i64 %37, %11
  br i1 %39, label %60, label %27

40:
  %41 = add nuw nsw i64 %33, 1
  %42 = icmp eq i64 %41, %28
  br i1 %42, label %36, label %32

43:
  %44 = phi i64 [ 0, %32 ], [ %53, %43 ]
  %45 = tail call i64 @llvm.smin.i64(i64 %44, i64 %26)
  %46 = add i64 %45, %20
  %47 = mul i64 %46, %11
  %48 = add i64 %47, %29
  %49 = mul i64 %48, %11
  %50 = getelementptr float, ptr %34, i64 %49
  %51 = load float, ptr %50, align 4
  %52 = getelementptr inbounds nuw float, ptr %35, i64 %44
  store float %51, ptr %52, align 4
  %53 = add nuw nsw i64 %44, 1
  %54 = icmp eq i64 %53, 8
  br i1 %54, label %40, label %43

55:
  %56 = icmp eq i64 %81, %11
  br i1 %56, label %57, label %60

57:
  %58 = phi <8 x float> [ zeroinitializer, %18 ], [ %90, %55 ]
  %59 = icmp sgt i64 %23, 0
  br i1 %59, label %119, label %115

60:
  %61 = phi i64 [ %81, %55 ], [ 0, %36 ]
  %62 = phi <8 x float> [ %90, %55 ], [ zeroinitializer, %36 ]
  %63 = mul i64 %61, %11
  %64 = getelementptr <8 x float>, ptr %5, i64 %63
  %65 = getelementptr <8 x float>, ptr %64, i64 %61
  %66 = load <8 x float>, ptr %65, align 32
  %67 = icmp eq i64 %61, 0
  br i1 %67, label %68, label %70

68:
  %69 = phi <8 x float> [ %66, %60 ], [ %76, %70 ]
  br label %83

70:
  %71 = phi i64 [ %77, %70 ], [ 0, %60 ]
  %72 = phi <8 x float> [ %76, %70 ], [ %66, %60 ]
  %73 = getelementptr <8 x float>, ptr %64, i64 %71
  %74 = load <8 x float>, ptr %73, align 32
  %75 = fneg <8 x float> %74
  %76 = tail call <8 x float> @llvm.fmuladd.v8f32(<8 x float> %75, <8 x float> %74, <8 x float> %72)
  %77 = add nuw nsw i64 %71, 1
  %78 = icmp eq i64 %77, %61
  br i1 %78, label %68, label %70

79:
  %80 = tail call <8 x float> @llvm.sqrt.v8f32(<8 x float> %69)
  store <8 x float> %80, ptr %65, align 32
  %81 = add nuw nsw i64 %61, 1
  %82 = icmp slt i64 %81, %11
  br i1 %82, label %93, label %55

83:
  %84 = phi i64 [ 0, %68 ], [ %91, %83 ]
  %85 = phi <8 x float> [ %62, %68 ], [ %90, %83 ]
  %86 = extractelement <8 x float> %69, i64 %84
  %87 = tail call i1 @llvm.is.fpclass.f32(float %86, i32 639)
  %88 = extractelement <8 x float> %85, i64 %84
  %89 = select i1 %87, float 0x7FF8000000000000, float %88
  %90 = insertelement <8 x float> %85, float %89, i64 %84
  %91 = add nuw nsw i64 %84, 1
  %92 = icmp eq i64 %91, 8
  br i1 %92, label %79, label %83

93:
  %94 = phi i64 [ %102, %99 ], [ %81, %79 ]
  %95 = mul i64 %94, %11
  %96 = getelementptr <8 x float>, ptr %5, i64 %95
  %97 = getelementptr <8 x float>, ptr %96, i64 %61
  %98 = load <8 x float>, ptr %97, align 32
  br i1 %67, label %99, label %104

99:
  %100 = phi <8 x float> [ %98, %93 ], [ %112, %104 ]
  %101 = fdiv <8 x float> %100, %80
  store <8 x float> %101, ptr %97, align 32
  %102 = add nuw nsw i64 %94, 1
  %103 = icmp eq i64 %102, %11
  br i1 %103, label %55, label %93

104:
  %105 = phi i64 [ %113, %104 ], [ 0, %93 ]
  %106 = phi <8 x float> [ %112, %104 ], [ %98, %93 ]
  %107 = getelementptr <8 x float>, ptr %96, i64 %105
  %108 = load <8 x float>, ptr %107, align 32
  %109 = getelementptr <8 x float>, ptr %64, i64 %105
  %110 = load <8 x float>, ptr %109, align 32
  %111 = fneg <8 x float> %108
  %112 = tail call <8 x float> @llvm.fmuladd.v8f32(<8 x float> %111, <8 x float> %110, <8 x float> %106)
  %113 = add nuw nsw i64 %105, 1
  %114 = icmp eq i64 %113, %61
  br i1 %114, label %99, label %104

115:
  %116 = add i64 %20, 8
  %117 = icmp slt i64 %116, %2
  %118 = add i64 %19, -8
  br i1 %117, label %18, label %17

119:
  %120 = phi i64 [ %133, %132 ], [ 0, %57 ]
  %121 = add i64 %120, %20
  %122 = mul i64 %15, %121
  %123 = getelementptr inbounds float, ptr %8, i64 %122
  %124 = getelementptr float, ptr %5, i64 %120
  br i1 %14, label %125, label %132

125:
  %126 = extractelement <8 x float> %58, i64 %120
  br label %127

127:
  %128 = phi i64 [ 0, %125 ], [ %136, %135 ]
  %129 = mul i64 %128, %11
  %130 = getelementptr <8 x float>, ptr %124, i64 %129
  %131 = getelementptr float, ptr %123, i64 %129
  br label %138

132:
  %133 = add nuw nsw i64 %120, 1
  %134 = icmp eq i64 %133, %22
  br i1 %134, label %115, label %119

135:
  %136 = add nuw nsw i64 %128, 1
  %137 = icmp eq i64 %136, %11
  br i1 %137, label %132, label %127

138:
  %139 = phi i64 [ 0, %127 ], [ %148, %144 ]
  %140 = icmp samesign ugt i64 %139, %128
  br i1 %140, label %144, label %141

141:
  %142 = getelementptr <8 x float>, ptr %130, i64 %139
  %143 = load float, ptr %142, align 4
  br label %144

144:
  %145 = phi float [ %143, %141 ], [ 0.000000e+00, %138 ]
  %146 = fadd float %126, %145
  %147 = getelementptr float, ptr %131, i64 %139
  store float %146, ptr %147, align 4
  %148 = add nuw nsw i64 %139, 1
  %149 = icmp eq i64 %148, %11
  br i1 %149, label %135, label %138
}

declare <8 x float> @llvm.fmuladd.v8f32(<8 x float>, <8 x float>, <8 x float>)

declare <8 x float> @llvm.sqrt.v8f32(<8 x float>)

define void @triangular_solve_f32(ptr %0, i64 %1, i64 %2, i64 %3) nounwind {
  %5 = alloca [1024 x <8 x float>], align 32
  %6 = alloca [32 x <8 x float>], align 32
  %7 = load ptr, ptr %0, align 8
  %8 = getelementptr inbounds nuw i8, ptr %0, i64 8
  %9 = load ptr, ptr %8, align 8
  %10 = getelementptr inbounds nuw i8, ptr %0, i64 16
  %11 = load ptr, ptr %10, align 8
  %12 = getelementptr inbounds nuw i8, ptr %0, i64 24
  %13 = load ptr, ptr %12, align 8
  %14 = load i64, ptr %13, align 8
  %15 = getelementptr inbounds nuw i8, ptr %13, i64 8
  %16 = load i64, ptr %15, align 8
  %17 = getelementptr inbounds nuw i8, ptr %13, i64 16
  %18 = load i64, ptr %17, align 8
  %19 = getelementptr inbounds nuw i8, ptr %13, i64 24
  %20 = load i64, ptr %19, align 8
  %21 = getelementptr inbounds nuw i8, ptr %13, i64 32
  %22 = load i64, ptr %21, align 8
  %23 = getelementptr inbounds nuw i8, ptr %13, i64 40
  %24 = load i64, ptr %23, align 8
  %25 = getelementptr inbounds nuw i8, ptr %13, i64 48
  %26 = load i64, ptr %25, align 8
  %27 = getelementptr inbounds nuw i8, ptr %13, i64 56
  %28 = load i64, ptr %27, align 8
  %29 = getelementptr inbounds nuw i8, ptr %13, i64 64
  %30 = load i64, ptr %29, align 8
  %31 = getelementptr inbounds nuw i8, ptr %13, i64 72
  %32 = load i64, ptr %31, align 8
  %33 = getelementptr inbounds nuw i8, ptr %13, i64 80
  %34 = load i64, ptr %33, align 8
  %35 = icmp slt i64 %1, %2
  br i1 %35, label %36, label %45

36:
  %37 = icmp sgt i64 %14, 0
  %38 = getelementptr float, ptr %7, i64 %32
  %39 = icmp sgt i64 %16, 0
  %40 = getelementptr float, ptr %9, i64 %34
  %41 = icmp eq i64 %18, 0
  %42 = add i64 %14, 1
  %43 = getelementptr float, ptr %11, i64 %34
  %44 = sub i64 %2, %1
  br label %46

45:
  ret void

46:
  %47 = phi i64 [ %44, %36 ], [ %96, %93 ]
  %48 = phi i64 [ %1, %36 ], [ %94, %93 ]
  %49 = tail call i64 @llvm.smax.i64(i64 %47, i64 1)
  %50 = tail call i64 @llvm.umin.i64(i64 %49, i64 8)
  %51 = sub i64 %2, %48
  %52 = tail call i64 @llvm.smin.i64(i64 %51, i64 8)
  br i1 %37, label %53, label %55

53:
  %54 = add i64 %52, -1
  br label %59

55:
  br i1 %39, label %56, label %93

56:
  %57 = add i64 %52, -1
  %58 = icmp sgt i64 %51, 0
  br label %88

59:
  %60 = phi i64 [ 1, %53 ], [ %73, %71 ]
  %61 = phi i64 [ 0, %53 ], [ %72, %71 ]
  %62 = mul i64 %61, %20
  %63 = getelementptr float, ptr %38, i64 %62
  %64 = mul i64 %61, %14
  %65 = getelementptr inbounds <8 x float>, ptr %5, i64 %64
  br label %66

66:
  %67 = phi i64 [ 0, %59 ], [ %76, %75 ]
  %68 = mul i64 %67, %22
  %69 = getelementptr float, ptr %63, i64 %68
  %70 = getelementptr inbounds nuw <8 x float>, ptr %65, i64 %67
  br label %78

71:
  %72 = add nuw nsw i64 %61, 1
  %73 = add nuw i64 %60, 1
  %74 = icmp eq i64 %72, %14
  br i1 %74, label %55, label %59

75:
  %76 = add nuw nsw i64 %67, 1
  %77 = icmp eq i64 %76, %60
  br i1 %77, label %71, label %66

78:
  %79 = phi i64 [ 0, %66 ], [ %86, %78 ]
  %80 = tail call i64 @llvm.smin.i64(i64 %79, i64 %54)
  %81 = add i64 %80, %48
  %82 = mul i64 %81, %28
  %83 = getelementptr float, ptr %69, i64 %82
  %84 = load float, ptr %83, align 4
  %85 = getelementptr inbounds nuw float, ptr %70, i64 %79
  store float %84, ptr %85, align 4
  %86 = add nuw nsw i64 %79, 1
  %87 = icmp eq i64 %86, 8
  br i1 %87, label %75, label %78

88:
  %89 = phi i64 [ 0, %56 ], [ %152, %151 ]
  br i1 %37, label %90, label %97

90:
  %91 = mul i64 %89, %26
  %92 = getelementptr float, ptr %40, i64 %91
  br label %101

93:
  %94 = add i64 %48, 8
  %95 = icmp slt i64 %94, %2
  %96 = add i64 %47, -8
  br i1 %95, label %46, label %45

97:
  br i1 %58, label %98, label %151

98:
  %99 = mul i64 %89, %26
  %100 = getelementptr float, ptr %43, i64 %99
  br label %144

101:
  %102 = phi i64 [ 0, %90 ], [ %142, %140 ]
  %103 = mul i64 %102, %24
  %104 = getelementptr float, ptr %92, i64 %103
  %105 = getelementptr inbounds nuw <8 x float>, ptr %6, i64 %102
  br label %112

106:
  %107 = load <8 x float>, ptr %105, align 32
  %108 = icmp eq i64 %102, 0
  br i1 %108, label %122, label %109

109:
  %110 = mul i64 %102, %14
  %111 = getelementptr <8 x float>, ptr %5, i64 %110
  br label %124

112:
  %113 = phi i64 [ 0, %101 ], [ %120, %112 ]
  %114 = tail call i64 @llvm.smin.i64(i64 %113, i64 %57)
  %115 = add i64 %114, %48
  %116 = mul i64 %115, %30
  %117 = getelementptr float, ptr %104, i64 %116
  %118 = load float, ptr %117, align 4
  %119 = getelementptr inbounds nuw float, ptr %105, i64 %113
  store float %118, ptr %119, align 4
  %120 = add nuw nsw i64 %113, 1
  %121 = icmp eq i64 %120, 8
  br i1 %121, label %106, label %112

122:
  %123 = phi <8 x float> [ %107, %106 ], [ %132, %124 ]
  br i1 %41, label %135, label %140

124:
  %125 = phi i64 [ 0, %109 ], [ %133, %124 ]
  %126 = phi <8 x float> [ %107, %109 ], [ %132, %124 ]
  %127 = getelementptr <8 x float>, ptr %111, i64 %125
  %128 = load <8 x float>, ptr %127, align 32
  %129 = getelementptr inbounds nuw <8 x float>, ptr %6, i64 %125
  %130 = load <8 x float>, ptr %129, align 32
  %131 = fneg <8 x float> %128
  %132 = tail call <8 x float> @llvm.fmuladd.v8f32(<8 x float> %131, <8 x float> %130, <8 x float> %126)
  %133 = add nuw nsw i64 %125, 1
  %134 = icmp eq i64 %133, %102
  br i1 %134, label %122, label %124

135:
  %136 = mul i64 %102, %42
  %137 = getelementptr inbounds <8 x float>, ptr %5, i64 %136
  %138 = load <8 x float>, ptr %137, align 32
  %139 = fdiv <8 x float> %123, %138
  br label %140

140:
  %141 = phi <8 x float> [ %139, %135 ], [ %123, %122 ]
  store <8 x float> %141, ptr %105, align 32
  %142 = add nuw nsw i64 %102, 1
  %143 = icmp eq i64 %142, %14
  br i1 %143, label %97, label %101

144:
  %145 = phi i64 [ 0, %98 ], [ %155, %154 ]
  %146 = getelementptr float, ptr %6, i64 %145
  br i1 %37, label %147, label %154

147:
  %148 = add i64 %145, %48
  %149 = mul i64 %148, %30
  %150 = getelementptr float, ptr %100, i64 %149
  br label %157

151:
  %152 = add nuw nsw i64 %89, 1
  %153 = icmp eq i64 %152, %16
  br i1 %153, label %93, label %88

154:
  %155 = add nuw nsw i64 %145, 1
  %156 = icmp eq i64 %155, %50
  br i1 %156, label %151, label %144

157:
  %158 = phi i64 [ 0, %147 ], [ %163, %157 ]
  %159 = getelementptr <8 x float>, ptr %146, i64 %158
  %160 = load float, ptr %159, align 4
  %161 = mul i64 %158, %24
  %162 = getelementptr float, ptr %150, i64 %161
  store float %160, ptr %162, align 4
  %163 = add nuw nsw i64 %158, 1
  %164 = icmp eq i64 %163, %14
  br i1 %164, label %154, label %157
}

define void @lu_f32(ptr %0, i64 %1, i64 %2, i64 %3) nounwind {
  %5 = alloca [1024 x <8 x float>], align 32
  %6 = load ptr, ptr %0, align 8
  %7 = getelementptr inbounds nuw i8, ptr %0, i64 8
  %8 = load ptr, ptr %7, align 8
  %9 = getelementptr inbounds nuw i8, ptr %0, i64 16
  %10 = load ptr, ptr %9, align 8
  %11 = getelementptr inbounds nuw i8, ptr %0, i64 24
  %12 = load ptr, ptr %11, align 8
  %13 = getelementptr inbounds nuw i8, ptr %0, i64 32
  %14 = load ptr, ptr %13, align 8
  %15 = load i64, ptr %14, align 8
  %16 = getelementptr inbounds nuw i8, ptr %14, i64 8
  %17 = load i64, ptr %16, align 8
  %18 = tail call i64 @llvm.smin.i64(i64 %15, i64 %17)
  %19 = icmp slt i64 %1, %2
  br i1 %19, label %20, label %26

20:
  %21 = mul i64 %17, %15
  %22 = icmp sgt i64 %21, 0
  %23 = icmp sgt i64 %15, 0
  %24 = icmp sgt i64 %18, 0
  %25 = sub i64 %2, %1
  br label %27

26:
  ret void

27:
  %28 = phi i64 [ %25, %20 ], [ %189, %186 ]
  %29 = phi i64 [ %1, %20 ], [ %187, %186 ]
  %30 = tail call i64 @llvm.smax.i64(i64 %28, i64 1)
  %31 = tail call i64 @llvm.umin.i64(i64 %30, i64 8)
  %32 = sub i64 %2, %29
  br i1 %22, label %33, label %36

33:
  %34 = tail call i64 @llvm.smin.i64(i64 %32, i64 8)
  %35 = add i64 %34, -1
  br label %38

36:
  %37 = icmp sgt i64 %32, 0
  br i1 %37, label %56, label %55

38:
  %39 = phi i64 [ 0, %33 ], [ %43, %42 ]
  %40 = getelementptr float, ptr %6, i64 %39
  %41 = getelementptr inbounds nuw <8 x float>, ptr %5, i64 %39
  br label %45

42:
  %43 = add nuw nsw i64 %39, 1
  %44 = icmp eq i64 %43, %21
  br i1 %44, label %36, label %38

45:
  %46 = phi i64 [ 0, %38 ], [ %53, %45 ]
  %47 = tail call i64 @llvm.smin.i64(i64 %46, i64 %35)
  %48 = add i64 %47, %29
  %49 = mul i64 %21, %48
  %50 = getelementptr float, ptr %40, i64 %49
  %51 = load float, ptr %50, align 4
  %52 = getelementptr inbounds nuw float, ptr %41, i64 %46
  store float %51, ptr %52, align 4
  %53 = add nuw nsw i64 %46, 1
  %54 = icmp eq i64 %53, 8
  br i1 %54, label %42, label %45

55:
  br i1 %24, label %74, label %73

56:
  %57 = phi i64 [ %63, %62 ], [ 0, %36 ]
  br i1 %23, label %58, label %62

58:
  %59 = add i64 %57, %29
  %60 = mul i64 %59, %15
  %61 = getelementptr i32, ptr %12, i64 %60
  br label %65

62:
  %63 = add nuw nsw i64 %57, 1
  %64 = icmp eq i64 %63, %31
  br i1 %64, label %55, label %56

65:
  %66 = phi i64 [ 0, %58 ], [ %69, %65 ]
  %67 = trunc i64 %66 to i32
  %68 = getelementptr i32, ptr %61, i64 %66
  store i32 %67, ptr %68, align 4
  %69 = add nuw nsw i64 %66, 1
  %70 = icmp eq i64 %69, %15
  br i1 %70, label %62, label %65

71:
  %72 = icmp eq i64 %145, %18
  br i1 %72, label %73, label %74

73:
  br i1 %37, label %179, label %186

74:
  %75 = phi i64 [ %145, %71 ], [ 0, %55 ]
  %76 = getelementptr i32, ptr %10, i64 %75
  %77 = mul i64 %75, %17
  br i1 %37, label %78, label %84

78:
  %79 = add i64 %77, %75
  %80 = shl i64 %79, 5
  %81 = add nuw nsw i64 %75, 1
  %82 = icmp slt i64 %81, %15
  %83 = trunc i64 %75 to i32
  br label %88

84:
  %85 = getelementptr <8 x float>, ptr %5, i64 %77
  %86 = getelementptr <8 x float>, ptr %85, i64 %75
  %87 = load <8 x float>, ptr %86, align 32
  br label %149

88:
  %89 = phi i64 [ 0, %78 ], [ %142, %141 ]
  %90 = getelementptr inbounds nuw float, ptr %5, i64 %89
  br i1 %82, label %95, label %91

91:
  %92 = add i64 %89, %29
  %93 = mul i64 %92, %18
  %94 = getelementptr i32, ptr %76, i64 %93
  store i32 %83, ptr %94, align 4
  br label %141

95:
  %96 = getelementptr inbounds i8, ptr %90, i64 %80
  %97 = load float, ptr %96, align 4
  %98 = tail call float @llvm.fabs.f32(float %97)
  br label %107

99:
  %100 = trunc i64 %118 to i32
  %101 = add i64 %89, %29
  %102 = mul i64 %101, %18
  %103 = getelementptr i32, ptr %76, i64 %102
  store i32 %100, ptr %103, align 4
  %104 = icmp eq i64 %118, %75
  br i1 %104, label %141, label %105

105:
  %106 = mul i64 %118, %17
  br label %129

107:
  %108 = phi i64 [ %120, %107 ], [ %81, %95 ]
  %109 = phi float [ %119, %107 ], [ %98, %95 ]
  %110 = phi i64 [ %118, %107 ], [ %75, %95 ]
  %111 = mul i64 %108, %17
  %112 = add i64 %111, %75
  %113 = shl i64 %112, 5
  %114 = getelementptr inbounds i8, ptr %90, i64 %113
  %115 = load float, ptr %114, align 4
  %116 = tail call float @llvm.fabs.f32(float %115)
  %117 = fcmp ogt float %116, %109
  %118 = select i1 %117, i64 %108, i64 %110
  %119 = select i1 %117, float %116, float %109
  %120 = add nuw nsw i64 %108, 1
  %121 = icmp eq i64 %120, %15
  br i1 %121, label %99, label %107

122:
  %123 = mul i64 %101, %15
  %124 = getelementptr inbounds i32, ptr %12, i64 %123
  %125 = getelementptr inbounds nuw i32, ptr %124, i64 %75
  %126 = load i32, ptr %125, align 4
  %127 = getelementptr inbounds i32, ptr %124, i64 %118
  %128 = load i32, ptr %127, align 4
  store i32 %128, ptr %125, align 4
  store i32 %126, ptr %127, align 4
  br label %141

129:
  %130 = phi i64 [ 0, %105 ], [ %139, %129 ]
  %131 = add i64 %130, %77
  %132 = shl i64 %131, 5
  %133 = getelementptr inbounds i8, ptr %90, i64 %132
  %134 = load float, ptr %133, align 4
  %135 = add i64 %130, %106
  %136 = shl i64 %135, 5
  %137 = getelementptr inbounds i8, ptr %90, i64 %136
  %138 = load float, ptr %137, align 4
  store float %138, ptr %133, align 4
  store float %134, ptr %137, align 4
  %139 = add nuw nsw i64 %130, 1
  %140 = icmp eq i64 %139, %17
  br i1 %140, label %122, label %129

141:
  %142 = add nuw nsw i64 %89, 1
  %143 = icmp eq i64 %142, %31
  br i1 %143, label %84, label %88

144:
  %145 = add nuw nsw i64 %75, 1
  %146 = icmp slt i64 %145, %15
  br i1 %146, label %147, label %71

147:
  %148 = icmp slt i64 %145, %17
  br label %158

149:
  %150 = phi i64 [ 0, %84 ], [ %156, %149 ]
  %151 = phi <8 x float> [ %87, %84 ], [ %155, %149 ]
  %152 = extractelement <8 x float> %151, i64 %150
  %153 = fcmp oeq float %152, 0.000000e+00
  %154 = select i1 %153, float 1.000000e+00, float %152
  %155 = insertelement <8 x float> %151, float %154, i64 %150
  %156 = add nuw nsw i64 %150, 1
  %157 = icmp eq i64 %156, 8
  br i1 %157, label %144, label %149

158:
  %159 = phi i64 [ %145, %147 ], [ %168, %167 ]
  %160 = mul i64 %159, %17
  %161 = getelementptr <8 x float>, ptr %5, i64 %160
  %162 = getelementptr <8 x float>, ptr %161, i64 %75
  %163 = load <8 x float>, ptr %162, align 32
  %164 = fdiv <8 x float> %163, %155
  store <8 x float> %164, ptr %162, align 32
  br i1 %148, label %165, label %167

165:
  %166 = fneg <8 x float> %164
  br label %170

167:
  %168 = add nuw nsw i64 %159, 1
  %169 = icmp eq i64 %168, %15
  br i1 %169, label %71, label %158

170:
  %171 = phi i64 [ %145, %165 ], [ %177, %170 ]
  %172 = getelementptr <8 x float>, ptr %85, i64 %171
  %173 = load <8 x float>, ptr %172, align 32
  %174 = getelementptr <8 x float>, ptr %161, i64 %171
  %175 = load <8 x float>, ptr %174, align 32
  %176 = tail call <8 x float> @llvm.fmuladd.v8f32(<8 x float> %166, <8 x float> %173, <8 x float> %175)
  store <8 x float> %176, ptr %174, align 32
  %177 = add nuw nsw i64 %171, 1
  %178 = icmp eq i64 %177, %17
  br i1 %178, label %167, label %170

179:
  %180 = phi i64 [ %191, %190 ], [ 0, %73 ]
  %181 = getelementptr float, ptr %5, i64 %180
  br i1 %22, label %182, label %190

182:
  %183 = add i64 %180, %29
  %184 = mul i64 %21, %183
  %185 = getelementptr float, ptr %8, i64 %184
  br label %193

186:
  %187 = add i64 %29, 8
  %188 = icmp slt i64 %187, %2
  %189 = add i64 %28, -8
  br i1 %188, label %27, label %26

190:
  %191 = add nuw nsw i64 %180, 1
  %192 = icmp eq i64 %191, %31
  br i1 %192, label %186, label %179

193:
  %194 = phi i64 [ 0, %182 ], [ %198, %193 ]
  %195 = getelementptr <8 x float>, ptr %181, i64 %194
  %196 = load float, ptr %195, align 4
  %197 = getelementptr float, ptr %185, i64 %194
  store float %196, ptr %197, align 4
  %198 = add nuw nsw i64 %194, 1
  %199 = icmp eq i64 %198, %21
  br i1 %199, label %190, label %193
}

declare float @llvm.fabs.f32(float)

define void @cholesky_f64(ptr %0, i64 %1, i64 %2, i64 %3) nounwind {
  %5 = alloca [1024 x <4 x double>], align 32
  %6 = load ptr, ptr %0, align 8
  %7 = getelementptr inbounds nuw i8, ptr %0, i64 8
  %8 = load ptr, ptr %7, align 8
  %9 = getelementptr inbounds nuw i8, ptr %0, i64 16
  %10 = load ptr, ptr %9, align 8
  %11 = load i64, ptr %10, align 8
  %12 = icmp slt i64 %1, %2
  br i1 %12, label %13, label %17

13:
  %14 = icmp sgt i64 %11, 0
  %15 = mul i64 %11, %11
  %16 = sub i64 %2, %1
  br label %18

17:
  ret void

18:
  %19 = phi i64 [ %16, %13 ], [ %118, %115 ]
  %20 = phi i64 [ %1, %13 ], [ %116, %115 ]
  %21 = tail call i64 @llvm.smax.i64(i64 %19, i64 1)
  %22 = tail call i64 @llvm.umin.i64(i64 %21, i64 4)
  %23 = sub i64 %2, %20
  br i1 %14, label %24, label %57

24:
  %25 = tail call i64 @llvm.smin.i64(i64 %23, i64 4)
  %26 = add i64 %25, -1
  br label %27

27:
  %28 = phi i64 [ 1, %24 ], [ %38, %36 ]
  %29 = phi i64 [ 0, %24 ], [ %37, %36 ]
  %30 = mul i64 %29, %11
  %31 = getelementptr inbounds <4 x double>, ptr %5, i64 %30
  br label %32

32:
  %33 = phi i64 [ 0, %27 ], [ %41, %40 ]
  %34 = getelementptr double, ptr %6, i64 %33
  %35 = getelementptr inbounds nuw <4 x double>, ptr %31, i64 %33
  br label %43

36:
  %37 = add nuw nsw i64 %29, 1
  %38 = add nuw i64 %28, 1
  %39 = icmp eq i64 %37, %11
  br i1 %39, label %60, label %27

40:
  %41 = add nuw nsw i64 %33, 1
  %42 = icmp eq i64 %41, %28
  br i1 %42, label %36, label %32

43:
  %44 = phi i64 [ 0, %32 ], [ %53, %43 ]
  %45 = tail call i64 @llvm.smin.i64(i64 %44, i64 %26)
  %46 = add i64 %45, %20
  %47 = mul i64 %46, %11
  %48 = add i64 %47, %29
  %49 = mul i64 %48, %11
  %50 = getelementptr double, ptr %34, i64 %49
  %51 = load double, ptr %50, align 8
  %52 = getelementptr inbounds nuw double, ptr %35, i64 %44
  store double %51, ptr %52, align 8
  %53 = add nuw nsw i64 %44, 1
  %54 = icmp eq i64 %53, 4
  br i1 %54, label %40, label %43

55:
  %56 = icmp eq i64 %81, %11
  br i1 %56, label %57, label %60

57:
  %58 = phi <4 x double> [ zeroinitializer, %18 ], [ %90, %55 ]
  %59 = icmp sgt i64 %23, 0
  br i1 %59, label %119, label %115

60:
  %61 = phi i64 [ %81, %55 ], [ 0, %36 ]
  %62 = phi <4 x double> [ %90, %55 ], [ zeroinitializer, %36 ]
  %63 = mul i64 %61, %11
  %64 = getelementptr <4 x double>, ptr %5, i64 %63
  %65 = getelementptr <4 x double>, ptr %64, i64 %61
  %66 = load <4 x double>, ptr %65, align 32
  %67 = icmp eq i64 %61, 0
  br i1 %67, label %68, label %70

68:
  %69 = phi <4 x double> [ %66, %60 ], [ %76, %70 ]
  br label %83

70:
  %71 = phi i64 [ %77, %70 ], [ 0, %60 ]
  %72 = phi <4 x double> [ %76, %70 ], [ %66, %60 ]
  %73 = getelementptr <4 x double>, ptr %64, i64 %71
  %74 = load <4 x double>, ptr %73, align 32
  %75 = fneg <4 x double> %74
  %76 = tail call <4 x double> @llvm.fmuladd.v4f64(<4 x double> %75, <4 x double> %74, <4 x double> %72)
  %77 = add nuw nsw i64 %71, 1
  %78 = icmp eq i64 %77, %61
  br i1 %78, label %68, label %70

79:
  %80 = tail call <4 x double> @llvm.sqrt.v4f64(<4 x double> %69)
  store <4 x double> %80, ptr %65, align 32
  %81 = add nuw nsw i64 %61, 1
  %82 = icmp slt i64 %81, %11
  br i1 %82, label %93, label %55

83:
  %84 = phi i64 [ 0, %68 ], [ %91, %83 ]
  %85 = phi <4 x double> [ %62, %68 ], [ %90, %83 ]
  %86 = extractelement <4 x double> %69, i64 %84
  %87 = tail call i1 @llvm.is.fpclass.f64(double %86, i32 639)
  %88 = extractelement <4 x double> %85, i64 %84
  %89 = select i1 %87, double 0x7FF8000000000000, double %88
  %90 = insertelement <4 x double> %85, double %89, i64 %84
  %91 = add nuw nsw i64 %84, 1
  %92 = icmp eq i64 %91, 4
  br i1 %92, label %79, label %83

93:
  %94 = phi i64 [ %102, %99 ], [ %81, %79 ]
  %95 = mul i64 %94, %11
  %96 = getelementptr <4 x double>, ptr %5, i64 %95
  %97 = getelementptr <4 x double>, ptr %96, i64 %61
  %98 = load <4 x double>, ptr %97, align 32
  br i1 %67, label %99, label %104

99:
  %100 = phi <4 x double> [ %98, %93 ], [ %112, %104 ]
  %101 = fdiv <4 x double> %100, %80
  store <4 x double> %101, ptr %97, align 32
  %102 = add nuw nsw i64 %94, 1
  %103 = icmp eq i64 %102, %11
  br i1 %103, label %55, label %93

104:
  %105 = phi i64 [ %113, %104 ], [ 0, %93 ]
  %106 = phi <4 x double> [ %112, %104 ], [ %98, %93 ]
  %107 = getelementptr <4 x double>, ptr %96, i64 %105
  %108 = load <4 x double>, ptr %107, align 32
  %109 = getelementptr <4 x double>, ptr %64, i64 %105
  %110 = load <4 x double>, ptr %109, align 32
  %111 = fneg <4 x double> %108
  %112 = tail call <4 x double> @llvm.fmuladd.v4f64(<4 x double> %111, <4 x double> %110, <4 x double> %106)
  %113 = add nuw nsw i64 %105, 1
  %114 = icmp eq i64 %113, %61
  br i1 %114, label %99, label %104

115:
  %116 = add i64 %20, 4
  %117 = icmp slt i64 %116, %2
  %118 = add i64 %19, -4
  br i1 %117, label %18, label %17

119:
  %120 = phi i64 [ %133, %132 ], [ 0, %57 ]
  %121 = add i64 %120, %20
  %122 = mul i64 %15, %121
  %123 = getelementptr inbounds double, ptr %8, i64 %122
  %124 = getelementptr double, ptr %5, i64 %120
  br i1 %14, label %125, label %132

125:
  %126 = extractelement <4 x double> %58, i64 %120
  br label %127

127:
  %128 = phi i64 [ 0, %125 ], [ %136, %135 ]
  %129 = mul i64 %128, %11
  %130 = getelementptr <4 x double>, ptr %124, i64 %129
  %131 = getelementptr double, ptr %123, i64 %129
  br label %138

132:
  %133 = add nuw nsw i64 %120, 1
  %134 = icmp eq i64 %133, %22
  br i1 %134, label %115, label %119

135:
  %136 = add nuw nsw i64 %128, 1
  %137 = icmp eq i64 %136, %11
  br i1 %137, label %132, label %127

138:
  %139 = phi i64 [ 0, %127 ], [ %148, %144 ]
  %140 = icmp samesign ugt i64 %139, %128
  br i1 %140, label %144, label %141

141:
  %142 = getelementptr <4 x double>, ptr %130, i64 %139
  %143 = load double, ptr %142, align 8
  br label %144

144:
  %145 = phi double [ %143, %141 ], [ 0.000000e+00, %138 ]
  %146 = fadd double %126, %145
  %147 = getelementptr double, ptr %131, i64 %139
  store double %146, ptr %147, align 8
  %148 = add nuw nsw i64 %139, 1
  %149 = icmp eq i64 %148, %11
  br i1 %149, label %135, label %138
}

declare <4 x double> @llvm.fmuladd.v4f64(<4 x double>, <4 x double>, <4 x double>)

declare <4 x double> @llvm.sqrt.v4f64(<4 x double>)

define void @triangular_solve_f64(ptr %0, i64 %1, i64 %2, i64 %3) nounwind {
  %5 = alloca [1024 x <4 x double>], align 32
  %6 = alloca [32 x <4 x double>], align 32
  %7 = load ptr, ptr %0, align 8
  %8 = getelementptr inbounds nuw i8, ptr %0, i64 8
  %9 = load ptr, ptr %8, align 8
  %10 = getelementptr inbounds nuw i8, ptr %0, i64 16
  %11 = load ptr, ptr %10, align 8
  %12 = getelementptr inbounds nuw i8, ptr %0, i64 24
  %13 = load ptr, ptr %12, align 8
  %14 = load i64, ptr %13, align 8
  %15 = getelementptr inbounds nuw i8, ptr %13, i64 8
  %16 = load i64, ptr %15, align 8
  %17 = getelementptr inbounds nuw i8, ptr %13, i64 16
  %18 = load i64, ptr %17, align 8
  %19 = getelementptr inbounds nuw i8, ptr %13, i64 24
  %20 = load i64, ptr %19, align 8
  %21 = getelementptr inbounds nuw i8, ptr %13, i64 32
  %22 = load i64, ptr %21, align 8
  %23 = getelementptr inbounds nuw i8, ptr %13, i64 40
  %24 = load i64, ptr %23, align 8
  %25 = getelementptr inbounds nuw i8, ptr %13, i64 48
  %26 = load i64, ptr %25, align 8
  %27 = getelementptr inbounds nuw i8, ptr %13, i64 56
  %28 = load i64, ptr %27, align 8
  %29 = getelementptr inbounds nuw i8, ptr %13, i64 64
  %30 = load i64, ptr %29, align 8
  %31 = getelementptr inbounds nuw i8, ptr %13, i64 72
  %32 = load i64, ptr %31, align 8
  %33 = getelementptr inbounds nuw i8, ptr %13, i64 80
  %34 = load i64, ptr %33, align 8
  %35 = icmp slt i64 %1, %2
  br i1 %35, label %36, label %45

36:
  %37 = icmp sgt i64 %14, 0
  %38 = getelementptr double, ptr %7, i64 %32
  %39 = icmp sgt i64 %16, 0
  %40 = getelementptr double, ptr %9, i64 %34
  %41 = icmp eq i64 %18, 0
  %42 = add i64 %14, 1
  %43 = getelementptr double, ptr %11, i64 %34
  %44 = sub i64 %2, %1
  br label %46

45:
  ret void

46:
  %47 = phi i64 [ %44, %36 ], [ %96, %93 ]
  %48 = phi i64 [ %1, %36 ], [ %94, %93 ]
  %49 = tail call i64 @llvm.smax.i64(i64 %47, i64 1)
  %50 = tail call i64 @llvm.umin.i64(i64 %49, i64 4)
  %51 = sub i64 %2, %48
  %52 = tail call i64 @llvm.smin.i64(i64 %51, i64 4)
  br i1 %37, label %53, label %55

53:
  %54 = add i64 %52, -1
  br label %59

55:
  br i1 %39, label %56, label %93

56:
  %57 = add i64 %52, -1
  %58 = icmp sgt i64 %51, 0
  br label %88

59:
  %60 = phi i64 [ 1, %53 ], [ %73, %71 ]
  %61 = phi i64 [ 0, %53 ], [ %72, %71 ]
  %62 = mul i64 %61, %20
  %63 = getelementptr double, ptr %38, i64 %62
  %64 = mul i64 %61, %14
  %65 = getelementptr inbounds <4 x double>, ptr %5, i64 %64
  br label %66

66:
  %67 = phi i64 [ 0, %59 ], [ %76, %75 ]
  %68 = mul i64 %67, %22
  %69 = getelementptr double, ptr %63, i64 %68
  %70 = getelementptr inbounds nuw <4 x double>, ptr %65, i64 %67
  br label %78

71:
  %72 = add nuw nsw i64 %61, 1
  %73 = add nuw i64 %60, 1
  %74 = icmp eq i64 %72, %14
  br i1 %74, label %55, label %59

75:
  %76 = add nuw nsw i64 %67, 1
  %77 = icmp eq i64 %76, %60
  br i1 %77, label %71, label %66

78:
  %79 = phi i64 [ 0, %66 ], [ %86, %78 ]
  %80 = tail call i64 @llvm.smin.i64(i64 %79, i64 %54)
  %81 = add i64 %80, %48
  %82 = mul i64 %81, %28
  %83 = getelementptr double, ptr %69, i64 %82
  %84 = load double, ptr %83, align 8
  %85 = getelementptr inbounds nuw double, ptr %70, i64 %79
  store double %84, ptr %85, align 8
  %86 = add nuw nsw i64 %79, 1
  %87 = icmp eq i64 %86, 4
  br i1 %87, label %75, label %78

88:
  %89 = phi i64 [ 0, %56 ], [ %152, %151 ]
  br i1 %37, label %90, label %97

90:
  %91 = mul i64 %89, %26
  %92 = getelementptr double, ptr %40, i64 %91
  br label %101

93:
  %94 = add i64 %48, 4
  %95 = icmp slt i64 %94, %2
  %96 = add i64 %47, -4
  br i1 %95, label %46, label %45

97:
  br i1 %58, label %98, label %151

98:
  %99 = mul i64 %89, %26
  %100 = getelementptr double, ptr %43, i64 %99
  br label %144

101:
  %102 = phi i64 [ 0, %90 ], [ %142, %140 ]
  %103 = mul i64 %102, %24
  %104 = getelementptr double, ptr %92, i64 %103
  %105 = getelementptr inbounds nuw <4 x double>, ptr %6, i64 %102
  br label %112

106:
  %107 = load <4 x double>, ptr %105, align 32
  %108 = icmp eq i64 %102, 0
  br i1 %108, label %122, label %109

109:
  %110 = mul i64 %102, %14
  %111 = getelementptr <4 x double>, ptr %5, i64 %110
  br label %124

112:
  %113 = phi i64 [ 0, %101 ], [ %120, %112 ]
  %114 = tail call i64 @llvm.smin.i64(i64 %113, i64 %57)
  %115 = add i64 %114, %48
  %116 = mul i64 %115, %30
  %117 = getelementptr double, ptr %104, i64 %116
  %118 = load double, ptr %117, align 8
  %119 = getelementptr inbounds nuw double, ptr %105, i64 %113
  store double %118, ptr %119, align 8
  %120 = add nuw nsw i64 %113, 1
  %121 = icmp eq i64 %120, 4
  br i1 %121, label %106, label %112

122:
  %123 = phi <4 x double> [ %107, %106 ], [ %132, %124 ]
  br i1 %41, label %135, label %140

124:
  %125 = phi i64 [ 0, %109 ], [ %133, %124 ]
  %126 = phi <4 x double> [ %107, %109 ], [ %132, %124 ]
  %127 = getelementptr <4 x double>, ptr %111, i64 %125
  %128 = load <4 x double>, ptr %127, align 32
  %129 = getelementptr inbounds nuw <4 x double>, ptr %6, i64 %125
  %130 = load <4 x double>, ptr %129, align 32
  %131 = fneg <4 x double> %128
  %132 = tail call <4 x double> @llvm.fmuladd.v4f64(<4 x double> %131, <4 x double> %130, <4 x double> %126)
  %133 = add nuw nsw i64 %125, 1
  %134 = icmp eq i64 %133, %102
  br i1 %134, label %122, label %124

135:
  %136 = mul i64 %102, %42
  %137 = getelementptr inbounds <4 x double>, ptr %5, i64 %136
  %138 = load <4 x double>, ptr %137, align 32
  %139 = fdiv <4 x double> %123, %138
  br label %140

140:
  %141 = phi <4 x double> [ %139, %135 ], [ %123, %122 ]
  store <4 x double> %141, ptr %105, align 32
  %142 = add nuw nsw i64 %102, 1
  %143 = icmp eq i64 %142, %14
  br i1 %143, label %97, label %101

144:
  %145 = phi i64 [ 0, %98 ], [ %155, %154 ]
  %146 = getelementptr double, ptr %6, i64 %145
  br i1 %37, label %147, label %154

147:
  %148 = add i64 %145, %48
  %149 = mul i64 %148, %30
  %150 = getelementptr double, ptr %100, i64 %149
  br label %157

151:
  %152 = add nuw nsw i64 %89, 1
  %153 = icmp eq i64 %152, %16
  br i1 %153, label %93, label %88

154:
  %155 = add nuw nsw i64 %145, 1
  %156 = icmp eq i64 %155, %50
  br i1 %156, label %151, label %144

157:
  %158 = phi i64 [ 0, %147 ], [ %163, %157 ]
  %159 = getelementptr <4 x double>, ptr %146, i64 %158
  %160 = load double, ptr %159, align 8
  %161 = mul i64 %158, %24
  %162 = getelementptr double, ptr %150, i64 %161
  store double %160, ptr %162, align 8
  %163 = add nuw nsw i64 %158, 1
  %164 = icmp eq i64 %163, %14
  br i1 %164, label %154, label %157
}

define void @lu_f64(ptr %0, i64 %1, i64 %2, i64 %3) nounwind {
  %5 = alloca [1024 x <4 x double>], align 32
  %6 = load ptr, ptr %0, align 8
  %7 = getelementptr inbounds nuw i8, ptr %0, i64 8
  %8 = load ptr, ptr %7, align 8
  %9 = getelementptr inbounds nuw i8, ptr %0, i64 16
  %10 = load ptr, ptr %9, align 8
  %11 = getelementptr inbounds nuw i8, ptr %0, i64 24
  %12 = load ptr, ptr %11, align 8
  %13 = getelementptr inbounds nuw i8, ptr %0, i64 32
  %14 = load ptr, ptr %13, align 8
  %15 = load i64, ptr %14, align 8
  %16 = getelementptr inbounds nuw i8, ptr %14, i64 8
  %17 = load i64, ptr %16, align 8
  %18 = tail call i64 @llvm.smin.i64(i64 %15, i64 %17)
  %19 = icmp slt i64 %1, %2
  br i1 %19, label %20, label %26

20:
  %21 = mul i64 %17, %15
  %22 = icmp sgt i64 %21, 0
  %23 = icmp sgt i64 %15, 0
  %24 = icmp sgt i64 %18, 0
  %25 = sub i64 %2, %1
  br label %27

26:
  ret void

27:
  %28 = phi i64 [ %25, %20 ], [ %189, %186 ]
  %29 = phi i64 [ %1, %20 ], [ %187, %186 ]
  %30 = tail call i64 @llvm.smax.i64(i64 %28, i64 1)
  %31 = tail call i64 @llvm.umin.i64(i64 %30, i64 4)
  %32 = sub i64 %2, %29
  br i1 %22, label %33, label %36

33:
  %34 = tail call i64 @llvm.smin.i64(i64 %32, i64 4)
  %35 = add i64 %34, -1
  br label %38

36:
  %37 = icmp sgt i64 %32, 0
  br i1 %37, label %56, label %55

38:
  %39 = phi i64 [ 0, %33 ], [ %43, %42 ]
  %40 = getelementptr double, ptr %6, i64 %39
  %41 = getelementptr inbounds nuw <4 x double>, ptr %5, i64 %39
  br label %45

42:
  %43 = add nuw nsw i64 %39, 1
  %44 = icmp eq i64 %43, %21
  br i1 %44, label %36, label %38

45:
  %46 = phi i64 [ 0, %38 ], [ %53, %45 ]
  %47 = tail call i64 @llvm.smin.i64(i64 %46, i64 %35)
  %48 = add i64 %47, %29
  %49 = mul i64 %21, %48
  %50 = getelementptr double, ptr %40, i64 %49
  %51 = load double, ptr %50, align 8
  %52 = getelementptr inbounds nuw double, ptr %41, i64 %46
  store double %51, ptr %52, align 8
  %53 = add nuw nsw i64 %46, 1
  %54 = icmp eq i64 %53, 4
  br i1 %54, label %42, label %45

55:
  br i1 %24, label %74, label %73

56:
  %57 = phi i64 [ %63, %62 ], [ 0, %36 ]
  br i1 %23, label %58, label %62

58:
  %59 = add i64 %57, %29
  %60 = mul i64 %59, %15
  %61 = getelementptr i32, ptr %12, i64 %60
  br label %65

62:
  %63 = add nuw nsw i64 %57, 1
  %64 = icmp eq i64 %63, %31
  br i1 %64, label %55, label %56

65:
  %66 = phi i64 [ 0, %58 ], [ %69, %65 ]
  %67 = trunc i64 %66 to i32
  %68 = getelementptr i32, ptr %61, i64 %66
  store i32 %67, ptr %68, align 4
  %69 = add nuw nsw i64 %66, 1
  %70 = icmp eq i64 %69, %15
  br i1 %70, label %62, label %65

71:
  %72 = icmp eq i64 %145, %18
  br i1 %72, label %73, label %74

73:
  br i1 %37, label %179, label %186

74:
  %75 = phi i64 [ %145, %71 ], [ 0, %55 ]
  %76 = getelementptr i32, ptr %10, i64 %75
  %77 = mul i64 %75, %17
  br i1 %37, label %78, label %84

78:
  %79 = add i64 %77, %75
  %80 = shl i64 %79, 5
  %81 = add nuw nsw i64 %75, 1
  %82 = icmp slt i64 %81, %15
  %83 = trunc i64 %75 to i32
  br label %88

84:
  %85 = getelementptr <4 x double>, ptr %5, i64 %77
  %86 = getelementptr <4 x double>, ptr %85, i64 %75
  %87 = load <4 x double>, ptr %86, align 32
  br label %149

88:
  %89 = phi i64 [ 0, %78 ], [ %142, %141 ]
  %90 = getelementptr inbounds nuw double, ptr %5, i64 %89
  br i1 %82, label %95, label %91

91:
  %92 = add i64 %89, %29
  %93 = mul i64 %92, %18
  %94 = getelementptr i32, ptr %76, i64 %93
  store i32 %83, ptr %94, align 4
  br label %141

95:
  %96 = getelementptr inbounds i8, ptr %90, i64 %80
  %97 = load double, ptr %96, align 8
  %98 = tail call double @llvm.fabs.f64(double %97)
  br label %107

99:
  %100 = trunc i64 %118 to i32
  %101 = add i64 %89, %29
  %102 = mul i64 %101, %18
  %103 = getelementptr i32, ptr %76, i64 %102
  store i32 %100, ptr %103, align 4
  %104 = icmp eq i64 %118, %75
  br i1 %104, label %141, label %105

105:
  %106 = mul i64 %118, %17
  br label %129

107:
  %108 = phi i64 [ %120, %107 ], [ %81, %95 ]
  %109 = phi double [ %119, %107 ], [ %98, %95 ]
  %110 = phi i64 [ %118, %107 ], [ %75, %95 ]
  %111 = mul i64 %108, %17
  %112 = add i64 %111, %75
  %113 = shl i64 %112, 5
  %114 = getelementptr inbounds i8, ptr %90, i64 %113
  %115 = load double, ptr %114, align 8
  %116 = tail call double @llvm.fabs.f64(double %115)
  %117 = fcmp ogt double %116, %109
  %118 = select i1 %117, i64 %108, i64 %110
  %119 = select i1 %117, double %116, double %109
  %120 = add nuw nsw i64 %108, 1
  %121 = icmp eq i64 %120, %15
  br i1 %121, label %99, label %107

122:
  %123 = mul i64 %101, %15
  %124 = getelementptr inbounds i32, ptr %12, i64 %123
  %125 = getelementptr inbounds nuw i32, ptr %124, i64 %75
  %126 = load i32, ptr %125, align 4
  %127 = getelementptr inbounds i32, ptr %124, i64 %118
  %128 = load i32, ptr %127, align 4
  store i32 %128, ptr %125, align 4
  store i32 %126, ptr %127, align 4
  br label %141

129:
  %130 = phi i64 [ 0, %105 ], [ %139, %129 ]
  %131 = add i64 %130, %77
  %132 = shl i64 %131, 5
  %133 = getelementptr inbounds i8, ptr %90, i64 %132
  %134 = load double, ptr %133, align 8
  %135 = add i64 %130, %106
  %136 = shl i64 %135, 5
  %137 = getelementptr inbounds i8, ptr %90, i64 %136
  %138 = load double, ptr %137, align 8
  store double %138, ptr %133, align 8
  store double %134, ptr %137, align 8
  %139 = add nuw nsw i64 %130, 1
  %140 = icmp eq i64 %139, %17
  br i1 %140, label %122, label %129

141:
  %142 = add nuw nsw i64 %89, 1
  %143 = icmp eq i64 %142, %31
  br i1 %143, label %84, label %88

144:
  %145 = add nuw nsw i64 %75, 1
  %146 = icmp slt i64 %145, %15
  br i1 %146, label %147, label %71

147:
  %148 = icmp slt i64 %145, %17
  br label %158

149:
  %150 = phi i64 [ 0, %84 ], [ %156, %149 ]
  %151 = phi <4 x double> [ %87, %84 ], [ %155, %149 ]
  %152 = extractelement <4 x double> %151, i64 %150
  %153 = fcmp oeq double %152, 0.000000e+00
  %154 = select i1 %153, double 1.000000e+00, double %152
  %155 = insertelement <4 x double> %151, double %154, i64 %150
  %156 = add nuw nsw i64 %150, 1
  %157 = icmp eq i64 %156, 4
  br i1 %157, label %144, label %149

158:
  %159 = phi i64 [ %145, %147 ], [ %168, %167 ]
  %160 = mul i64 %159, %17
  %161 = getelementptr <4 x double>, ptr %5, i64 %160
  %162 = getelementptr <4 x double>, ptr %161, i64 %75
  %163 = load <4 x double>, ptr %162, align 32
  %164 = fdiv <4 x double> %163, %155
  store <4 x double> %164, ptr %162, align 32
  br i1 %148, label %165, label %167

165:
  %166 = fneg <4 x double> %164
  br label %170

167:
  %168 = add nuw nsw i64 %159, 1
  %169 = icmp eq i64 %168, %15
  br i1 %169, label %71, label %158

170:
  %171 = phi i64 [ %145, %165 ], [ %177, %170 ]
  %172 = getelementptr <4 x double>, ptr %85, i64 %171
  %173 = load <4 x double>, ptr %172, align 32
  %174 = getelementptr <4 x double>, ptr %161, i64 %171
  %175 = load <4 x double>, ptr %174, align 32
  %176 = tail call <4 x double> @llvm.fmuladd.v4f64(<4 x double> %166, <4 x double> %173, <4 x double> %175)
  store <4 x double> %176, ptr %174, align 32
  %177 = add nuw nsw i64 %171, 1
  %178 = icmp eq i64 %177, %17
  br i1 %178, label %167, label %170

179:
  %180 = phi i64 [ %191, %190 ], [ 0, %73 ]
  %181 = getelementptr double, ptr %5, i64 %180
  br i1 %22, label %182, label %190

182:
  %183 = add i64 %180, %29
  %184 = mul i64 %21, %183
  %185 = getelementptr double, ptr %8, i64 %184
  br label %193

186:
  %187 = add i64 %29, 4
  %188 = icmp slt i64 %187, %2
  %189 = add i64 %28, -4
  br i1 %188, label %27, label %26

190:
  %191 = add nuw nsw i64 %180, 1
  %192 = icmp eq i64 %191, %31
  br i1 %192, label %186, label %179

193:
  %194 = phi i64 [ 0, %182 ], [ %198, %193 ]
  %195 = getelementptr <4 x double>, ptr %181, i64 %194
  %196 = load double, ptr %195, align 8
  %197 = getelementptr double, ptr %185, i64 %194
  store double %196, ptr %197, align 8
  %198 = add nuw nsw i64 %194, 1
  %199 = icmp eq i64 %198, %21
  br i1 %199, label %190, label %193
}

declare double @llvm.fabs.f64(double)

declare i64 @llvm.smin.i64(i64, i64)

declare i1 @llvm.is.fpclass.f32(float, i32)

declare i64 @llvm.smax.i64(i64, i64)

declare i64 @llvm.umin.i64(i64, i64)

declare i1 @llvm.is.fpclass.f64(double, i32)
